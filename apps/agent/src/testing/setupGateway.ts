import { lowerCaseAddress } from '@rackfair/rules/address'
import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import { freePort } from '@rackfair/testkit'
import { verifyMessage } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { AgentConfig } from '../config/agentConfig.ts'
import { createAgentProof } from '../doors/gateway/agentProof.ts'
import type { Pace } from '../doors/gateway/createAdmission.ts'
import { createGateway, type GatewayOptions } from '../doors/gateway/createGateway.ts'
import { createTerminal } from '../doors/gateway/createTerminal.ts'
import { createTickets } from '../doors/gateway/createTickets.ts'
import type { Credentials } from '../doors/gateway/credentials.ts'
import { createOwnerSessions } from '../doors/gateway/ownerSessions.ts'
import { createSignatureCheck } from '../doors/owner/createSignatureCheck.ts'
import { sayingLog } from '../foundation/log.ts'
import type { NewcomerPace } from '../foundation/newcomers.ts'
import type { Visit } from '../orders/createVisits.ts'
import { loadCatalog } from '../presets/loadCatalog.ts'
import type { Runtime } from '../runtime/Runtime.ts'

const NGINX = 2
export const GATEWAY_SECRET = 'a secret of this test'
const MARKET = 'https://market.example'
const PROVIDER = lowerCaseAddress('0x00000000000000000000000000000000000000Aa')

/** A gateway in front of the server at `address`, with one origin for all orders unless `ownPorts` is set. Orders are put into `visits`. */
export async function setupGateway(
  options: {
    runtime?: Runtime
    config?: Partial<AgentConfig['gateway']>
    chainId?: number
    ownPorts?: boolean
    localInstance?: string
    terminalIdleMs?: number
    pace?: Pace
    idleMs?: number
    maxConnections?: number
    newcomers?: NewcomerPace
    attestations?: GatewayOptions['attestations']
    orderOfDomain?: GatewayOptions['orderOfDomain']
  } = {},
) {
  const owner = privateKeyToAccount(generatePrivateKey())
  const operator = privateKeyToAccount(generatePrivateKey())
  const visits = new Map<bigint, Visit>()
  const revoked = new Set<string>()
  const clock = { offset: 0 }
  const now = () => Math.floor(Date.now() / 1000) + clock.offset
  const port = await freePort()
  const firstPort = options.ownPorts ? await freePort() : 0
  const config = {
    host: '127.0.0.1',
    port,
    publicHost: '127.0.0.1',
    tls: false,
    ...(options.ownPorts ? { portRange: [firstPort, firstPort + 200] as [number, number] } : {}),
    ...options.config,
  }
  const terminal = createTerminal(options.runtime as Runtime, {
    idleMs: options.terminalIdleMs ?? 600_000,
    log: sayingLog(() => {}),
  })
  const chainId = options.chainId ?? DEVELOPMENT_CHAIN_ID
  const isSigned = createSignatureCheck({
    signedBy: (address, message, signature) => verifyMessage({ address, message, signature }),
  })
  const gateway = await createGateway({
    ...{ config, chainId, localInstance: options.localInstance, orderOfDomain: options.orderOfDomain },
    market: MARKET,
    secret: GATEWAY_SECRET,
    visit: (orderId) => visits.get(orderId),
    orderOfSlot: (slot) => [...visits.values()].find((one) => one.slot === slot)?.orderId,
    sessions: createOwnerSessions({ secret: GATEWAY_SECRET, isSigned, now }),
    tickets: createTickets({
      chainId,
      provider: PROVIDER,
      isSigned,
      isRevoked: (_, key) => revoked.has(key),
      sites: () => [MARKET],
      now,
    }),
    terminal,
    attestations: options.attestations,
    proveAgent: createAgentProof({ account: operator, chainId: DEVELOPMENT_CHAIN_ID, provider: PROVIDER }),
    ...{ pace: options.pace, idleMs: options.idleMs, maxConnections: options.maxConnections, newcomers: options.newcomers },
    log: sayingLog(() => {}),
  })
  const origin = `http://127.0.0.1:${gateway.port}`
  const origins = new Map<bigint, string>()
  const originOf = (orderId: bigint): string => origins.get(orderId) ?? origin
  const cookiesOf = (answer: Response) =>
    answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
  const preset = (deployId: number) => {
    const found = loadCatalog().get(deployId)
    if (!found) throw new Error(`no preset ${deployId}`)
    return found
  }
  return {
    owner,
    operator,
    provider: PROVIDER,
    market: MARKET,
    visits,
    /** Revoked browser keys. */
    revoked,
    clock,
    origin,
    port: gateway.port,
    /** An order whose application listens on `appPort` of `address`. */
    put(
      orderId: bigint,
      change: Partial<Visit> & {
        address?: string
        appPort?: number
        access?: 'public' | 'owner'
        deployId?: number
        terminal?: string[]
      } = {},
    ) {
      const { appPort, access, deployId, terminal, address = '127.0.0.1', ...rest } = change
      const base = preset(deployId ?? NGINX)
      visits.set(orderId, {
        orderId,
        user: lowerCaseAddress(owner.address),
        phase: 'Running',
        code: undefined,
        slot: Number(orderId),
        preset: {
          wire: { ...base.wire, ...(access ? { access } : {}) },
          app: { ...base.app, ...(appPort === undefined ? {} : { port: appPort }), ...(terminal ? { terminal } : {}) },
        },
        upstream: { address, start: `${address}:${appPort}` },
        ...rest,
      })
    },
    link: (orderId: bigint, user: string = owner.address) => `${origin}/?OrderId=${orderId}&UserAddress=${user}`,
    /** Origin of an order's application, known after `enter`. */
    originOf,
    /** Follows the Visit link and returns the cookie that a browser would keep. */
    async enter(orderId: bigint): Promise<string> {
      const entry = await fetch(this.link(orderId), { redirect: 'manual' })
      const way = new URL(entry.headers.get('location') ?? '/', origin)
      origins.set(orderId, way.origin)
      return cookiesOf(way.origin === origin ? entry : await fetch(way, { redirect: 'manual' }))
    },
    /** Signs in as a wallet, with the data of the sign-in page. */
    async signIn(orderId: bigint, cookie: string, signer = owner) {
      const page = await (await fetch(`${originOf(orderId)}/`, { headers: { cookie } })).text()
      const fact = (name: string) => decode(new RegExp(`data-${name}="([^"]*)"`).exec(page)?.[1] ?? '')
      const body = JSON.stringify({
        order: String(orderId),
        nonce: fact('nonce'),
        time: Number(fact('time')),
        signature: await signer.signMessage({ message: fact('text') }),
      })
      const send = () =>
        fetch(`${originOf(orderId)}/.rackfair/sign-in`, {
          method: 'POST',
          headers: { cookie, 'content-type': 'application/json', origin: originOf(orderId) },
          body,
        })
      const answer = await send()
      const session = (await answer.clone().json()) as { credentials?: Credentials }
      return {
        status: answer.status,
        headers: { cookie: `${cookie}; ${cookiesOf(answer)}`, ...basic(session) },
        body,
        again: send,
      }
    },
    /** Breaks the connection of every open terminal. */
    disconnect: () => terminal.close(),
    receive: gateway.receive,
    close: () => gateway.close(),
  }
}

/** The header in which a browser sends the credentials of a session. */
export const basic = ({ credentials }: { credentials?: Credentials }): Record<string, string> =>
  credentials ? { authorization: `Basic ${Buffer.from(`${credentials.name}:${credentials.proof}`).toString('base64')}` } : {}

const decode = (text: string): string => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))

import { randomBytes } from 'node:crypto'
import { type IncomingMessage, type RequestOptions, request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { isIP } from 'node:net'
import { formatGatewayProof } from '@rackfair/protocol/agentTexts'
import type { ReachAnswer, ReachOutcome } from '@rackfair/protocol/reach'
import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import { isPublicAddress } from '@rackfair/rules/network/isPublicAddress'

const CONNECT_MS = 4_000
const ANSWER_MS = 2_000
const MAX_ANSWER_BYTES = 4_096

export interface ProbeTarget {
  provider: string
  ip: string
  port: number
  chainId: number
  /** Whether the provider's operator, or the provider itself, signed this text. */
  isSignedByAgent: (text: string, signature: string) => Promise<boolean>
}

/**
 * Connects to a provider's registered address and asks for a proof of its operator key, first without TLS and, if something else answers,
 * with TLS. Never connects to anything else: no DNS lookup, no redirects, and outside of the development chain only public addresses.
 */
export async function probe(target: ProbeTarget): Promise<ReachAnswer> {
  const { ip, port } = target
  const may = target.chainId === DEVELOPMENT_CHAIN_ID ? isIP(ip) > 0 && !ip.includes('%') : isPublicAddress(ip)
  if (!may || port < 1 || port > 65_535) return { outcome: 'not_public', ip, port, tls: false, milliseconds: 0 }
  const began = performance.now()
  const answer = (outcome: ReachOutcome, tls: boolean): ReachAnswer => ({
    outcome,
    ip,
    port,
    tls,
    milliseconds: Math.round(performance.now() - began),
  })
  const plain = await askOnce(target, false)
  if (plain !== 'not_this_agent') return answer(plain, false)
  const tls = await askOnce(target, true)
  return tls === 'reachable' ? answer(tls, true) : answer(plain, false)
}

async function askOnce(target: ProbeTarget, tls: boolean): Promise<ReachOutcome> {
  const challenge = randomBytes(32).toString('hex')
  const { provider, chainId } = target
  let body: string
  try {
    body = await readProof(target, tls, challenge)
  } catch (error) {
    return outcomeOf(error)
  }
  const signature = signatureIn(body)
  if (signature === undefined) return 'not_this_agent'
  const isProven = await target.isSignedByAgent(formatGatewayProof({ chainId, provider, challenge }), signature)
  return isProven ? 'reachable' : 'not_this_agent'
}

/** The first bytes of the answer. Throws with the socket's error code, or `CONNECT_TIMEOUT` if no connection was established. */
function readProof({ ip, port }: ProbeTarget, tls: boolean, challenge: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions & { rejectUnauthorized: boolean } = {
      host: ip,
      port,
      path: `/.rackfair/agent?challenge=${challenge}`,
      agent: false,
      headers: { accept: 'application/json', connection: 'close' },
      maxHeaderSize: 8_192,
      // The signature identifies the machine; certificates for bare IP addresses are rare.
      rejectUnauthorized: false,
    }
    let connected = false
    const fail = (code: string) => request.destroy(Object.assign(new Error(code), { code }))
    const connecting = setTimeout(() => fail('CONNECT_TIMEOUT'), CONNECT_MS)
    const all = setTimeout(() => fail('ANSWER_TIMEOUT'), CONNECT_MS + ANSWER_MS)
    const request = (tls ? requestTls : requestPlain)(options, (response: IncomingMessage) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > MAX_ANSWER_BYTES) fail('TOO_LONG')
      })
      response.on('end', () => resolve(text))
      response.on('error', reject)
    })
    request.on('socket', (socket) =>
      socket.once('connect', () => {
        connected = true
        clearTimeout(connecting)
      }),
    )
    request.on('error', (error: NodeJS.ErrnoException) => reject(connected ? new Error('not this agent') : error))
    // Without a listener, an answer that switches protocols would end the request without a word.
    request.on('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new Error('not this agent'))
    })
    request.on('close', () => {
      clearTimeout(connecting)
      clearTimeout(all)
    })
    request.end()
  })
}

function outcomeOf(error: unknown): ReachOutcome {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ECONNREFUSED':
      return 'refused'
    case 'CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return 'timed_out'
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
    case 'EACCES':
    case 'EPERM':
      return 'no_route'
    default:
      return 'not_this_agent'
  }
}

function signatureIn(body: string): string | undefined {
  try {
    const { signature } = JSON.parse(body) as { signature?: unknown }
    return typeof signature === 'string' && /^0x[0-9a-f]{2,4000}$/i.test(signature) ? signature : undefined
  } catch {
    return undefined
  }
}

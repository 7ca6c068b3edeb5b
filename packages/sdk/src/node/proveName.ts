import { createHash, randomBytes } from 'node:crypto'
import { Agent, request } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { formatGatewayProof } from '@rackfair/protocol/agentTexts'
import { isAddressEqual } from 'viem'
import { readMarket } from '../chain/contractCall.ts'
import { isSignedBy } from '../chain/isSignedBy.ts'
import { getOrder } from '../chain/views.ts'
import { appError } from '../errors/appError.ts'
import type { Market } from '../market/connectMarket.ts'

const ANSWER_MS = 10_000
const MAX_ANSWER_BYTES = 4_096
const SIGNATURE = /^0x[0-9a-f]{2,4000}$/i
/** Too many ask, or it starts: nothing is said of who ends TLS. */
const BUSY = [429, 503]
const SHA256 = /^[0-9a-f]{64}$/

/**
 * Who ends TLS at a name. `agent`: the provider's agent itself. `other`: somebody in between, with a certificate of their own for the name.
 * `unproven`: what answers shows no signature of the provider. `silent`: nothing answers
 * that question now.
 */
export type NameProof =
  | {
      who: 'agent' | 'other' | 'unproven' /** SHA-256 of the certificate that was shown, in hex. */
      certificate: string
      issuer: string
      isTrusted: boolean
    }
  | { who: 'silent'; reason: string }

/**
 * Asks at a name for the agent's signature of the certificate that it shows there. The signature is made for this one connection: whoever
 * passes it on has shown another certificate.
 *
 * @param url of a page with TLS at the provider, such as a Visit link
 * @param options.isSignedByAgent whether the provider's operator, by the chain, signed a text
 * @param options.lookup which addresses may be connected to; by default all that the name has
 * @example await proveName('https://o-12.atlas.edge.example/', { chainId: 2985, provider: '0x5b38…', isSignedByAgent }) // { who: 'agent', … }
 */
export async function proveName(
  url: string,
  options: {
    chainId: number
    provider: string
    isSignedByAgent: (text: string, signature: string) => Promise<boolean>
    lookup?: LookupFunction | undefined
    ca?: string | undefined
    timeoutMs?: number | undefined
  },
): Promise<NameProof> {
  const challenge = randomBytes(32).toString('hex')
  const { chainId, provider, isSignedByAgent } = options
  let seen: Awaited<ReturnType<typeof ask>>
  try {
    seen = await ask(new URL(`/.rackfair/agent?challenge=${challenge}`, url), options)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return { who: 'silent', reason: code ?? message }
  }
  const { said, ...shown } = seen
  const { certificate, signature } = said
  if (typeof signature !== 'string' || !SIGNATURE.test(signature)) return { who: 'unproven', ...shown }
  if (typeof certificate !== 'string' || !SHA256.test(certificate)) return { who: 'unproven', ...shown }
  const isSigned = await isSignedByAgent(formatGatewayProof({ chainId, provider, challenge, certificate }), signature)
  if (!isSigned) return { who: 'unproven', ...shown }
  return { who: certificate === shown.certificate ? 'agent' : 'other', ...shown }
}

/**
 * Whether the agent that rents out an order ends TLS at a URL. Who that is, the chain says.
 *
 * @throws AppError `order_not_found`, `rpc_unreachable` (retryable).
 * @example await proveVisit(market, 12n, 'https://o-12.atlas.edge.example/') // { who: 'agent', … }
 */
export async function proveVisit(
  { client, addresses, chainId }: Pick<Market, 'client' | 'addresses' | 'chainId'>,
  orderId: bigint,
  url: string,
  options: Pick<Parameters<typeof proveName>[1], 'lookup' | 'ca' | 'timeoutMs'> = {},
): Promise<NameProof> {
  const { id, provider } = await getOrder(client, addresses, orderId)
  if (id === 0n) throw appError('order_not_found', `there is no order ${orderId}`)
  const operator = await readMarket(client, addresses, 'registry', 'operatorOf', [provider])
  const isSignedByAgent = async (text: string, signature: string) =>
    (await isSignedBy(client, operator, text, signature)) ||
    (!isAddressEqual(operator, provider) && (await isSignedBy(client, provider, text, signature)))
  return proveName(url, { chainId, provider, isSignedByAgent, ...options })
}

interface Said {
  certificate?: unknown
  signature?: unknown
}

/** What is shown and said at a URL. Throws where nothing ends TLS there in time. */
function ask(
  url: URL,
  { lookup, ca, timeoutMs = ANSWER_MS }: Parameters<typeof proveName>[1],
): Promise<{ certificate: string; issuer: string; isTrusted: boolean; said: Said }> {
  return new Promise((resolve, reject) => {
    let shown: { certificate: string; issuer: string; isTrusted: boolean } | undefined
    const asking = request(url, {
      // A certificate that nobody trusts is told, too: the connection carries nothing secret.
      agent: new Agent({ rejectUnauthorized: false, maxCachedSessions: 0, ...(ca === undefined ? {} : { ca }) }),
      headers: { accept: 'application/json', connection: 'close' },
      signal: AbortSignal.timeout(timeoutMs),
      maxHeaderSize: 8_192,
      ...(lookup ? { lookup } : {}),
    })
    const end = (said: Said) => (shown ? resolve({ ...shown, said }) : reject(new Error('no certificate')))
    asking.on('socket', (socket) =>
      socket.once('secureConnect', () => {
        const { authorized } = socket as TLSSocket
        const peer = (socket as TLSSocket).getPeerX509Certificate()
        if (!peer) return void asking.destroy(new Error('no certificate'))
        const certificate = createHash('sha256').update(peer.raw).digest('hex')
        shown = { certificate, issuer: peer.issuer.replaceAll('\n', ', ').slice(0, 200), isTrusted: authorized }
      }),
    )
    asking.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > MAX_ANSWER_BYTES) asking.destroy(new Error('the answer is too large'))
      })
      response.on('error', () => end({}))
      const { statusCode = 0 } = response
      response.on('end', () => (BUSY.includes(statusCode) ? reject(new Error(`status ${statusCode}`)) : end(saidIn(text))))
    })
    // Whoever shows a certificate and then falls silent has proved nothing, but is there.
    asking.on('error', (error) => (shown ? end({}) : reject(error)))
    asking.on('upgrade', (_response, socket) => {
      socket.destroy()
      end({})
    })
    asking.end()
  })
}

function saidIn(text: string): Said {
  try {
    const said: unknown = JSON.parse(text)
    return said !== null && typeof said === 'object' ? said : {}
  } catch {
    return {}
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { formatGatewayProof } from '@rackfair/protocol/agentTexts'
import { lowerCaseAddress } from '@rackfair/rules/address'
import type { LocalAccount } from 'viem'
import { arrivalOf, visitorOf } from '../../foundation/arrival.ts'
import { createTokenBuckets } from '../../foundation/buckets.ts'
import { sendJson } from '../../foundation/sendJson.ts'

const CHALLENGE = /^[0-9a-f]{64}$/

/**
 * Signs a caller's challenge with the operator key, which proves whose gateway answers, and, on a connection whose TLS ends here, which
 * certificate it showed.
 */
export function createAgentProof(options: { account: LocalAccount; chainId: number; provider: string }) {
  const { account, chainId, provider } = options
  const perNetwork = createTokenBuckets({ burst: 10, refillMs: 1000 })
  return async (request: IncomingMessage, response: ServerResponse, query: URLSearchParams): Promise<void> => {
    const challenge = query.get('challenge') ?? ''
    if (!CHALLENGE.test(challenge)) return sendJson(response, 400, { message: 'challenge: 64 hex digits' })
    if (!perNetwork.take(visitorOf(request) ?? '')) return sendJson(response, 429, { message: 'too many requests' })
    const certificate = arrivalOf(request.socket).certificate?.()
    const signature = await account.signMessage({ message: formatGatewayProof({ chainId, provider, challenge, certificate }) })
    sendJson(response, 200, {
      chainId,
      provider: lowerCaseAddress(provider),
      operator: lowerCaseAddress(account.address),
      ...(certificate === undefined ? {} : { certificate }),
      signature,
    })
  }
}

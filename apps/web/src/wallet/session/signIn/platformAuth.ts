import { formatSignInText } from '@rackfair/protocol/signInText'
import { type Api, serverSeconds } from '@rackfair/sdk/http'
import type { AuthAdapter } from './AuthAdapter.ts'

/** ERC-4361 against the platform. */
export function platformAuth(api: Pick<Api, 'nonce' | 'verify'>): AuthAdapter {
  return {
    getNonce: async () => (await api.nonce()).nonce,
    createMessage: ({ address, chainId, nonce }) =>
      formatSignInText({
        ...{ address, chainId, nonce, issuedAt: serverSeconds() },
        ...{ domain: window.location.host, uri: window.location.origin },
      }),
    verify: async (proof) => (await api.verify(proof)).address !== null,
  }
}

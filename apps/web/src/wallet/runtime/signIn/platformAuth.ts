import type { Api } from '@rackfair/sdk/http'
import { createSiweMessage } from 'viem/siwe'
import type { AuthAdapter } from './AuthAdapter.ts'

/** ERC-4361 against the platform. */
export function platformAuth(api: Pick<Api, 'nonce' | 'verify'>): AuthAdapter {
  return {
    getNonce: async () => (await api.nonce()).nonce,
    createMessage: ({ address, chainId, nonce }) =>
      createSiweMessage({
        address,
        chainId,
        nonce,
        domain: window.location.host,
        uri: window.location.origin,
        version: '1',
        statement: 'Sign in to Rackfair. This costs nothing and moves no money.',
        issuedAt: new Date(),
      }),
    verify: async (proof) => (await api.verify(proof)).address !== null,
  }
}

import type { Address, Hex } from 'viem'

/** How the page proves to a server who signed in (product specification, point 7). */
export interface AuthAdapter {
  getNonce: () => Promise<string>
  createMessage: (facts: { address: Address; chainId: number; nonce: string }) => string
  /** False when the server does not accept it. */
  verify: (proof: { message: string; signature: Hex }) => Promise<boolean>
}

/** @throws when no adapter is set. */
export function requireAdapter(adapter: AuthAdapter | undefined): AuthAdapter {
  if (!adapter) throw new Error('No authentication adapter found')
  return adapter
}

import { createContext, useContext } from 'react'

export const WalletContext = createContext(false)

/** Every wallet hook checks for its provider first, so that a missing one is detected at once. */
export function useWalletContext(hook: string): void {
  if (!useContext(WalletContext)) throw new Error(`${hook} must be used within WalletProvider`)
}

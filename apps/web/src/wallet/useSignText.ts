import { useCallback } from 'react'
import type { Hex } from 'viem'
import { loadWallet } from './loadWallet.ts'
import { useWalletContext } from './WalletContext.ts'

export interface UseSignText {
  /** Asks the wallet to sign a text. `undefined` when the user rejects; any other failure throws AppError. */
  signText: (text: string) => Promise<Hex | undefined>
}

export function useSignText(): UseSignText {
  useWalletContext('useSignText')
  const signText = useCallback(async (text: string) => (await loadWallet()).signText(text), [])
  return { signText }
}

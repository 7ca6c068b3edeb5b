import { useEffect, useSyncExternalStore } from 'react'
import type { Connector } from 'wagmi'
import { watchConnectors } from 'wagmi/actions'
import type { WalletRuntime } from '../session/connection/WalletRuntime.ts'

const POLL_MS = 500

/** Wallets that can be connected now; grows while extensions announce themselves, and while an app puts its wallet into the page. */
export function useAnnounced({ wagmi, lookForWallets }: WalletRuntime): readonly Connector[] {
  useEffect(() => {
    lookForWallets()
    const timer = setInterval(lookForWallets, POLL_MS)
    return () => clearInterval(timer)
  }, [lookForWallets])
  return useSyncExternalStore(
    (onChange) => watchConnectors(wagmi, { onChange }),
    () => wagmi.connectors,
  )
}

import { useSyncExternalStore } from 'react'
import type { Config, Connector } from 'wagmi'
import { watchConnectors } from 'wagmi/actions'

/** Wallets that can be connected now; grows while extensions announce themselves. */
export function useAnnounced(wagmi: Config): readonly Connector[] {
  return useSyncExternalStore(
    (onChange) => watchConnectors(wagmi, { onChange }),
    () => wagmi.connectors,
  )
}

import { toWalletError } from '@rackfair/sdk/walletError'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Chain } from 'viem'
import { connect } from 'wagmi/actions'
import { stopAsking } from '../session/connection/stopAsking.ts'
import type { WalletRuntime } from '../session/connection/WalletRuntime.ts'
import type { WalletDescriptor } from '../session/wallets/WalletDescriptor.ts'

export type ConnectingState =
  | { phase: 'idle' }
  | { phase: 'opening'; uri?: string }
  /** `network`: the wallet lacks the market's. */
  | { phase: 'failed'; reason: 'network' | 'other'; details: string }

/** What a wallet asks for when a network is added by hand. */
function networkFacts({ name, id, nativeCurrency, rpcUrls }: Chain): string {
  return `${name} · ${id} · ${nativeCurrency.symbol}\n${rpcUrls.default.http[0]}`
}

export interface Connecting {
  state: ConnectingState
  start: (wallet: WalletDescriptor) => void
  clear: () => void
}

/**
 * Asks one wallet for its account, and stops waiting for it when the dialog closes. Only the newest attempt is told of. A person who says
 * no in the wallet knows it: that is no failure, `onDeclined` takes them back.
 */
export function useConnecting({ wagmi }: WalletRuntime, onDeclined: (wallet: WalletDescriptor) => void): Connecting {
  const [state, setState] = useState<ConnectingState>({ phase: 'idle' })
  const attempt = useRef(0)
  const stop = useCallback(() => {
    attempt.current += 1
    stopAsking(wagmi)
  }, [wagmi])
  useEffect(() => stop, [stop])
  const start = useCallback(
    (wallet: WalletDescriptor) => {
      const mine = ++attempt.current
      const current = () => attempt.current === mine
      const connector = wagmi.connectors.find((entry) => entry.id === wallet.id)
      setState({ phase: 'opening' })
      if (!connector) return setState({ phase: 'failed', reason: 'other', details: `No connector ${wallet.id}` })
      const listen = (message: { type: string; data?: unknown }) => {
        if (message.type === 'display_uri' && current()) setState({ phase: 'opening', uri: String(message.data) })
      }
      connector.emitter.on('message', listen)
      connect(wagmi, { connector })
        .catch((error: unknown) => {
          if (!current()) return
          const { code, message } = toWalletError(error)
          if (code === 'user_rejected') {
            setState({ phase: 'idle' })
            onDeclined(wallet)
          } else if (code === 'wrong_network')
            setState({ phase: 'failed', reason: 'network', details: networkFacts(wagmi.chains[0]) })
          else setState({ phase: 'failed', reason: 'other', details: message })
        })
        .finally(() => connector.emitter.off('message', listen))
    },
    [wagmi, onDeclined],
  )
  const clear = useCallback(() => {
    stop()
    setState({ phase: 'idle' })
  }, [stop])
  return { state, start, clear }
}

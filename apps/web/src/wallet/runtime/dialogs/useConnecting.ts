import { toAppError } from '@rackfair/sdk'
import { useCallback, useEffect, useRef, useState } from 'react'
import { connect } from 'wagmi/actions'
import { stopAsking } from '../connection/stopAsking.ts'
import type { WalletRuntime } from '../connection/WalletRuntime.ts'
import { WALLET_CONNECT_ID } from '../wallets/catalogue.ts'
import type { WalletDescriptor } from '../wallets/WalletDescriptor.ts'

export type ConnectingState =
  | { phase: 'idle' }
  | { phase: 'opening'; uri?: string }
  /** `rejected`: the person said no; that is silent, only trying again is offered. */
  | { phase: 'failed'; rejected: boolean; details: string }

export interface Connecting {
  state: ConnectingState
  start: (wallet: WalletDescriptor) => void
  clear: () => void
}

/** Asks one wallet for its account, and stops waiting for it when the dialog closes. Only the newest attempt is told of. */
export function useConnecting({ wagmi, installation }: WalletRuntime): Connecting {
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
      if (!connector) return setState({ phase: 'failed', rejected: false, details: `No connector ${wallet.id}` })
      const listen = (message: { type: string; data?: unknown }) => {
        if (message.type === 'display_uri' && current()) setState({ phase: 'opening', uri: String(message.data) })
      }
      connector.emitter.on('message', listen)
      connect(wagmi, { connector, ...(wallet.id === WALLET_CONNECT_ID ? {} : { chainId: installation.chainId }) })
        .catch((error: unknown) => {
          if (!current()) return
          const known = toAppError(error)
          setState({ phase: 'failed', rejected: known.code === 'user_rejected', details: known.message })
        })
        .finally(() => connector.emitter.off('message', listen))
    },
    [wagmi, installation],
  )
  const clear = useCallback(() => {
    stop()
    setState({ phase: 'idle' })
  }, [stop])
  return { state, start, clear }
}

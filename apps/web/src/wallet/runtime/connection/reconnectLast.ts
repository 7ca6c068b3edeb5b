import { reconnect } from 'wagmi/actions'
import { getAccountState, readLastWallet, setAccountState } from '../../accountState.ts'
import type { WalletRuntime } from './WalletRuntime.ts'

/** Extensions announce themselves a moment after the page asks. */
const ANNOUNCE_MS = 1200

/** Takes up the last wallet's connection without asking. If that is not possible the state is disconnected. */
export async function reconnectLast({ wagmi }: WalletRuntime): Promise<void> {
  const id = readLastWallet()
  const find = () => wagmi.connectors.find((connector) => connector.id === id)
  if (id !== undefined) {
    const connector = find() ?? (await announced(wagmi, find))
    if (connector) await reconnect(wagmi, { connectors: [connector] })
  }
  if (wagmi.state.status !== 'connected' && getAccountState().status === 'loading')
    setAccountState({ status: 'disconnected', supported: false })
}

function announced<Found>(wagmi: WalletRuntime['wagmi'], find: () => Found | undefined): Promise<Found | undefined> {
  return new Promise((resolve) => {
    const settle = () => {
      stop()
      clearTimeout(timer)
      resolve(find())
    }
    const stop = wagmi._internal.connectors.subscribe(() => {
      if (find()) settle()
    })
    const timer = setTimeout(settle, ANNOUNCE_MS)
  })
}

import type { Connector } from 'wagmi'
import { reconnect } from 'wagmi/actions'
import { readLastWallet, stopLoading } from '../../accountState.ts'
import { stopAsking } from './stopAsking.ts'
import type { WalletRuntime } from './WalletRuntime.ts'

/** Extensions announce themselves a moment after the page asks. */
const ANNOUNCE_MS = 1200
/** After this, an unresponsive wallet no longer blocks anything. */
const RESUME_MS = 10_000

/** Reconnects the last wallet without a prompt. If that is not possible the state is disconnected. */
export async function reconnectLast({ wagmi }: WalletRuntime): Promise<void> {
  const id = readLastWallet()
  const find = () => wagmi.connectors.find((connector) => connector.id === id)
  if (id !== undefined) {
    const connector = find() ?? (await announced(wagmi, find))
    if (connector) await resume(wagmi, connector)
  }
  if (wagmi.state.status !== 'connected') stopLoading()
}

/** Resolves after `RESUME_MS` at the latest. A later answer still connects. */
async function resume(wagmi: WalletRuntime['wagmi'], connector: Connector): Promise<void> {
  const answer = reconnect(wagmi, { connectors: [connector] }).then(() =>
    wagmi.setState((state) =>
      state.status === 'disconnected' && state.current !== null ? { ...state, status: 'connected' } : state,
    ),
  )
  let timer: ReturnType<typeof setTimeout> | undefined
  await Promise.race([
    answer,
    new Promise((resolve) => {
      timer = setTimeout(resolve, RESUME_MS)
    }),
  ])
  clearTimeout(timer)
  stopAsking(wagmi)
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

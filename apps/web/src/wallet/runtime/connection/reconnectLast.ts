import type { Connector } from 'wagmi'
import { reconnect } from 'wagmi/actions'
import { readLastWallet, stopLoading } from '../../accountState.ts'
import { stopAsking } from './stopAsking.ts'
import type { WalletRuntime } from './WalletRuntime.ts'

/** Extensions announce themselves a moment after the page asks. */
const ANNOUNCE_MS = 1200
/** A wallet that has not answered until then holds nothing up any longer. */
const RESUME_MS = 10_000

/** Takes up the last wallet's connection without asking. If that is not possible the state is disconnected. */
export async function reconnectLast({ wagmi }: WalletRuntime): Promise<void> {
  const id = readLastWallet()
  const find = () => wagmi.connectors.find((connector) => connector.id === id)
  if (id !== undefined) {
    const connector = find() ?? (await announced(wagmi, find))
    if (connector) await resume(wagmi, connector)
  }
  if (wagmi.state.status !== 'connected') stopLoading()
}

/** Resolves at the latest after `RESUME_MS`. An answer that comes later still connects. */
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

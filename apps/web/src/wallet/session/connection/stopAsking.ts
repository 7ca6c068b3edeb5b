import type { Config } from 'wagmi'

/**
 * Stops waiting for the wallet being prompted, so that another one, or the same one again, can be chosen.
 * The wallet cannot be notified: an approval given in it later still connects.
 */
export function stopAsking(wagmi: Config): void {
  wagmi.setState((state) =>
    state.status === 'connecting' ? { ...state, status: state.current === null ? 'disconnected' : 'connected' } : state,
  )
}

import type { Config } from 'wagmi'

/**
 * Nobody waits for the wallet that is being asked any longer, so another can be chosen, or the same one again.
 * The wallet cannot be told: a yes that a person gives in it later still connects.
 */
export function stopAsking(wagmi: Config): void {
  wagmi.setState((state) =>
    state.status === 'connecting' ? { ...state, status: state.current === null ? 'disconnected' : 'connected' } : state,
  )
}

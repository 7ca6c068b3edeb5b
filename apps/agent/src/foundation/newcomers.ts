import { networkOf, widerNetworks } from '@rackfair/rules/network/networkOf'

/** How fast connections may come to a door. */
export interface NewcomerPace {
  /** Up to as many within a window, whoever opens them. */
  calm: number
  /** Beyond them, what is left to each network; wider ones have more, as they are worth. */
  each: number
  windowMs: number
}

/** What the system keeps of connections that are not accepted yet: as many as it allows, so that a burst loses none. */
export const BACKLOG = 4096

/**
 * Keeps those who open connections faster than they can be served from taking the time of all others. Each door asks it first, before it
 * reads a byte: what it refuses costs a few microseconds.
 *
 * @example if (!newcomers.admits(socket.remoteAddress)) socket.destroy()
 */
export function createNewcomers({ calm, each, windowMs }: NewcomerPace, now = () => performance.now()) {
  let since = now()
  let total = 0
  const counts = new Map<string, number>()

  return {
    admits(address: string | undefined): boolean {
      const time = now()
      if (time - since >= windowMs) {
        since = time
        total = 0
        counts.clear()
      }
      total += 1
      const network = networkOf(address ?? '')
      let isFair = true
      for (const { network: key, worth } of [{ network, worth: 1 }, ...widerNetworks(network)]) {
        const count = (counts.get(key) ?? 0) + 1
        counts.set(key, count)
        if (count > each * worth) isFair = false
      }
      return isFair || total <= calm
    },
  }
}
export type Newcomers = ReturnType<typeof createNewcomers>

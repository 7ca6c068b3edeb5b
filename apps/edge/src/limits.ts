import { networkOf, widerNetworks } from '@rackfair/rules/network/networkOf'

/** What strangers may take of an edge. */
export interface EdgeLimits {
  /** Visitors of one provider at once. */
  connections: number
  /** Of these, from one network: an IPv4 address, or an IPv6 /64. */
  perNetwork: number
  /** New connections of one network to one provider, in a second. */
  newPerSecond: number
  /** Visitors who have not said yet whom they visit; agents that have not proved yet whose they are; dialled connections without a ticket. */
  unknown: number
  /** Of each of these, from one network. */
  unknownPerNetwork: number
  /** Agents at once. */
  agents: number
  /** Connections that one agent may keep waiting. */
  spares: number
  /** What one provider's visitors may send and receive in a calendar month (UTC), in bytes. */
  monthlyBytes: number
}

export const EDGE_LIMITS: EdgeLimits = {
  connections: 512,
  perNetwork: 64,
  newPerSecond: 20,
  unknown: 2048,
  unknownPerNetwork: 128,
  agents: 4096,
  spares: 32,
  monthlyBytes: Number.POSITIVE_INFINITY,
}

/** In milliseconds. */
export interface EdgeTimes {
  /** Within it a visitor says whom to visit, and a dialled connection its ticket. */
  nameMs: number
  /** Within it an agent proves whose it is. */
  helloMs: number
  /** How long a visitor waits for the agent's connection. */
  ticketMs: number
  /** How long a visitor waits for an agent that is away: less than `nameMs`. */
  awayMs: number
  /** An agent that is silent for longer is gone. */
  silenceMs: number
  /** How long a connection lives of which one side has ended and the other does nothing. */
  halfOpenMs: number
  /** Between two counts of the bytes. */
  countMs: number
}

/** Counts what networks hold, and refuses those that hold too much. An IPv6 site counts as a few of its networks. */
export function createNetworkCounts(max: number) {
  const counts = new Map<string, number>()
  const networksOf = (address: string) => {
    const network = networkOf(address)
    return [{ network, worth: 1 }, ...widerNetworks(network)]
  }
  return {
    /** False where the network has as many as it may. */
    take(address: string): boolean {
      const all = networksOf(address)
      if (all.some(({ network, worth }) => (counts.get(network) ?? 0) >= max * worth)) return false
      for (const { network } of all) counts.set(network, (counts.get(network) ?? 0) + 1)
      return true
    },
    give(address: string): void {
      for (const { network } of networksOf(address)) {
        const left = (counts.get(network) ?? 0) - 1
        if (left > 0) counts.set(network, left)
        else counts.delete(network)
      }
    },
  }
}

/** Lets each key do `burst` things at once and then `perSecond`. Keeps 10,000 keys at most. */
export function createPace({ burst, perSecond }: { burst: number; perSecond: number }, now = () => performance.now()) {
  const buckets = new Map<string, { tokens: number; at: number }>()
  return {
    take(key: string): boolean {
      const time = now()
      const { tokens, at } = buckets.get(key) ?? { tokens: burst, at: time }
      const left = Math.min(burst, tokens + ((time - at) * perSecond) / 1000)
      buckets.delete(key)
      if (buckets.size >= 10_000) buckets.delete(buckets.keys().next().value as string)
      buckets.set(key, { tokens: left >= 1 ? left - 1 : left, at: time })
      return left >= 1
    },
  }
}

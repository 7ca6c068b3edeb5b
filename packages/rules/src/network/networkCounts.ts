import { networkOf, widerNetworks } from './networkOf.ts'

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

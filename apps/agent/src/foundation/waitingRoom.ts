/** Connections that have not signed in, over all networks. */
const MAX_WAITING = 128
/** Those of one network, from the narrowest to the widest that an address is counted in. */
const MAX_OF_NETWORK = [32, 48, 64]

interface Waiting {
  networks: readonly string[]
  drop: () => void
}

/**
 * Places for connections that have not signed in yet. A newcomer always gets one: where its network, or the room, is full, the oldest
 * leaves, and of all networks that with the most places gives one up. So whoever signs in swiftly gets in, whatever others hold open.
 */
export function createWaitingRoom() {
  const waiting = new Set<Waiting>()
  const oldestIn = (network: string) => [...waiting].find(({ networks }) => networks.includes(network))
  const leave = (one: Waiting) => waiting.delete(one)
  const dropOut = (one: Waiting | undefined) => {
    if (one && leave(one)) one.drop()
  }
  /** Of those with equally many, the one that came first. */
  const largestNetwork = (): string => {
    const sizes = new Map<string, number>()
    for (const { networks } of waiting) {
      const widest = networks.at(-1) ?? ''
      sizes.set(widest, (sizes.get(widest) ?? 0) + 1)
    }
    let [largest, size] = ['', 0]
    for (const [network, count] of sizes) if (count > size) [largest, size] = [network, count]
    return largest
  }

  return {
    /** Takes a place; `drop` is called where it is lost. Returns how it is left. */
    enter(networks: readonly string[], drop: () => void): () => void {
      for (const [width, network] of networks.entries()) {
        const count = [...waiting].filter((one) => one.networks[width] === network).length
        if (count >= (MAX_OF_NETWORK[width] ?? MAX_WAITING)) dropOut(oldestIn(network))
      }
      if (waiting.size >= MAX_WAITING) dropOut(oldestIn(largestNetwork()))
      const one = { networks, drop }
      waiting.add(one)
      return () => void leave(one)
    },
    size: () => waiting.size,
  }
}

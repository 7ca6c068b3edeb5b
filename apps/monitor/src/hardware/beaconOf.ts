import type { Hex, PublicClient } from 'viem'

/**
 * The hash of the first block at or after a time, the same for all monitors; undefined if there is none yet. Searches backwards from the
 * head in doubling steps, then by bisection.
 */
export async function beaconOf(client: PublicClient, time: number): Promise<Hex | undefined> {
  const head = await client.getBlock()
  if (Number(head.timestamp) < time) return undefined
  let [low, high, found] = [-1n, head.number, head]
  for (let step = 1n; high - step >= 0n; step *= 2n) {
    const block = await client.getBlock({ blockNumber: high - step })
    if (Number(block.timestamp) < time) {
      low = block.number
      break
    }
    found = block
    high = block.number
  }
  while (high - low > 1n) {
    const block = await client.getBlock({ blockNumber: (low + high) / 2n })
    if (Number(block.timestamp) < time) low = block.number
    else {
      found = block
      high = block.number
    }
  }
  return found.hash
}

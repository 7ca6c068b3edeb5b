import { BlockNotFoundError, type Hex, type PublicClient } from 'viem'

/** A node may lack the newest blocks for a moment. One that lacks a block further back dropped it, as the local market's chain does. */
const NEWEST_BLOCKS = 256n

/**
 * The hash of the first block at or after a time, the same for all monitors; undefined if there is none yet. Searches backwards from the
 * head in doubling steps, then by bisection. A dropped block counts as one before that time.
 */
export async function beaconOf(client: PublicClient, time: number): Promise<Hex | undefined> {
  const head = await client.getBlock()
  if (Number(head.timestamp) < time) return undefined
  const find = async (blockNumber: bigint) => {
    const block = await client.getBlock({ blockNumber }).catch((error: unknown) => {
      if (error instanceof BlockNotFoundError && head.number - blockNumber > NEWEST_BLOCKS) return undefined
      throw error
    })
    return block && Number(block.timestamp) >= time ? block : undefined
  }
  let [low, high, found] = [-1n, head.number, head]
  for (let step = 1n; high - step >= 0n; step *= 2n) {
    const number = high - step
    const block = await find(number)
    if (!block) {
      low = number
      break
    }
    found = block
    high = number
  }
  while (high - low > 1n) {
    const number = (low + high) / 2n
    const block = await find(number)
    if (!block) low = number
    else {
      found = block
      high = number
    }
  }
  return found.hash
}

import { type Address, isAddressEqual } from 'viem'
import { getBlock, getBlockNumber, getTransactionCount } from 'viem/actions'
import type { Market } from '../../market.ts'

/**
 * The mined transaction of an account with this nonce; undefined while there is none, and for one that is older than the states that the
 * node keeps (128 blocks on a full node). Searches the blocks since `sinceBlock` by halving.
 */
export async function findByNonce(client: Market['client'], from: Address, nonce: number, sinceBlock = '0') {
  const used = async (block: bigint) => (await getTransactionCount(client, { address: from, blockNumber: block })) > nonce
  let high = await getBlockNumber(client, { cacheTime: 0 })
  if (!(await used(high))) return undefined
  let low = BigInt(sinceBlock)
  if (low > high) low = 0n
  while (low < high) {
    const middle = (low + high) / 2n
    // Where the node keeps no state, nothing is known to be used.
    if (await used(middle).catch(() => false)) high = middle
    else low = middle + 1n
  }
  const block = await getBlock(client, { blockNumber: low, includeTransactions: true })
  return block.transactions.find((entry) => entry.nonce === nonce && isAddressEqual(entry.from, from))
}

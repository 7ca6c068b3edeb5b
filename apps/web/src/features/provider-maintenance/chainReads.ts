/** By their names: all of viem's actions at once would be kept whole, and in the wallet's code too, which shares them. */
export { getBlock, simulateContract } from 'viem/actions'

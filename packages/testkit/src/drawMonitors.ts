import { monitorsAbi } from '@rackfair/contracts'
import type { Calendar } from '@rackfair/rules/uptime/epoch'
import { type Address, type PublicClient, zeroHash } from 'viem'

/** More than the chain waits between the announcement of a draw and its block. */
const BLOCKS = 6

/**
 * Answers the next period for which monitors are drawn. Where it is none yet, moves to the start of the next one and has a monitor commit
 * there, as if it had reported before: that draws those of the period after.
 */
export async function drawMonitors(options: {
  client: PublicClient
  calendar: Calendar
  /** The contract `Monitors`. */
  contract: Address
  /** Sends a call as a monitor, and waits for it. */
  send: (functionName: 'commit' | 'draw', args: readonly [bigint, ...`0x${string}`[]]) => Promise<unknown>
  /** Mines a block with this unix time. */
  at: (timestamp: number) => Promise<void>
}): Promise<number> {
  const { client, calendar, contract, send, at } = options
  const present = calendar.periodAt(Number((await client.getBlock()).timestamp))
  const args = [BigInt(present + 1)] as const
  const beacon = await client.readContract({ address: contract, abi: monitorsAbi, functionName: 'beaconOf', args })
  if (beacon !== zeroHash) return present + 1
  const start = calendar.startOf(present + 1)
  await at(start + 1)
  await send('commit', [BigInt(present), zeroHash])
  // The chain's clock runs on between its blocks.
  for (let block = 1; block <= BLOCKS; block += 1) await at(Number((await client.getBlock()).timestamp) + 1)
  await send('draw', [BigInt(present + 2)])
  return present + 2
}

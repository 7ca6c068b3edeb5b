import { type Anvil, startAnvil, startWithoutOldBlocks } from '@rackfair/testkit'
import { createPublicClient, createTestClient, http } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { beaconOf } from './beaconOf.ts'

const KEPT_BLOCKS = 300

const clientOf = ({ rpcUrl }: Anvil) => createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })

test('finds the first block at or after the time, or the first one that the chain still has', async () => {
  const chain = await startAnvil({ blockTime: 0 })
  onTestFinished(chain.stop)
  const first = await clientOf(chain).getBlock()
  await createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl) }).mine({ blocks: 1_000, interval: 5 })
  const compact = await startWithoutOldBlocks(chain, KEPT_BLOCKS)
  onTestFinished(compact.stop)

  const blockAt = async (on: Anvil, time: bigint) => {
    const hash = await beaconOf(clientOf(on), Number(time))
    return hash && (await clientOf(on).getBlock({ blockHash: hash })).number
  }
  const head = await clientOf(chain).getBlock()
  for (const on of [chain, compact]) {
    expect(await blockAt(on, head.timestamp + 1n)).toBeUndefined()
    expect(await blockAt(on, head.timestamp)).toBe(head.number)
    expect(await blockAt(on, head.timestamp - 499n)).toBe(head.number - 99n)
  }
  expect(await blockAt(chain, first.timestamp - 1n)).toBe(0n)
  expect(await blockAt(compact, first.timestamp - 1n)).toBe(head.number - BigInt(KEPT_BLOCKS) + 1n)
})

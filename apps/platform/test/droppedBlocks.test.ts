import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Chain, startChain, startWithoutOldBlocks } from '@rackfair/testkit'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { Indexer } from '../src/indexer/Indexer.ts'
import { openStore } from '../src/store/openStore.ts'
import { type Actor, actorOn } from './actorOn.ts'
import { expectRowsEqualChain } from './expectRowsEqualChain.ts'
import { indexerSettings } from './indexerSettings.ts'
import { seeded } from './seed.ts'
import { openMarket, tradeOnce } from './trade.ts'

/** The local market's chain keeps thousands. The indexer needs those that it may take back, and reads ranges of 2,000 at first. */
const KEPT_BLOCKS = 300
const EMPTY_BLOCKS = 2_300

const folder = mkdtempSync(join(tmpdir(), 'rackfair-dropped-'))
const random = seeded()
let chain: Chain
let act: Actor
beforeAll(async () => {
  chain = await startChain({ blockTime: 0 })
  act = actorOn(chain)
  await openMarket(chain, act)
  return async () => {
    await chain.stop()
    rmSync(folder, { recursive: true })
  }
})

test('indexes a chain without its old empty blocks, from the beginning and from a block that it lacks', async () => {
  const early = await setup('early', chain)
  for (let round = 0; round < 10; round += 1) await tradeOnce(chain, act, random)
  await act.rpc('anvil_mine', ['0x5'])
  await early.catchUp()
  const checkpoint = await act.client.getBlockNumber()
  await early.close()
  await act.rpc('anvil_mine', [`0x${EMPTY_BLOCKS.toString(16)}`])
  for (let round = 0; round < 10; round += 1) await tradeOnce(chain, act, random)
  await act.rpc('anvil_mine', [`0x${KEPT_BLOCKS.toString(16)}`])

  const compact = await startWithoutOldBlocks(chain, KEPT_BLOCKS)
  onTestFinished(() => compact.stop())
  const actThere = actorOn(compact)
  await expect(actThere.client.getBlock({ blockNumber: checkpoint })).rejects.toThrow('could not be found')
  for (const name of ['early', 'fresh']) {
    const { store, catchUp, close } = await setup(name, compact)
    await catchUp()
    await expectRowsEqualChain(store.db, compact, actThere)
    await tradeOnce(compact, actThere, random)
    await catchUp()
    await expectRowsEqualChain(store.db, compact, actThere)
    await close()
  }
})

async function setup(name: string, on: Chain) {
  const store = await openStore({ dataFolder: join(folder, name), databaseUrl: undefined })
  const indexer = new Indexer(store, indexerSettings(on))
  return {
    store,
    async catchUp() {
      while (await indexer.step());
      expect(indexer.state).toBe('live')
    },
    async close() {
      await indexer.stop()
      await store.close()
    },
  }
}

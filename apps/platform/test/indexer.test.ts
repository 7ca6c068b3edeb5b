import { type Chain, startChain } from '@rackfair/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkAgainstChain } from '../src/indexer/checkAgainstChain.ts'
import { Indexer, type IndexerNote } from '../src/indexer/Indexer.ts'
import { openStore, type Store, type StoreSettings } from '../src/store/openStore.ts'
import { type Actor, actorOn, NODE } from './actorOn.ts'
import { type Databases, onBothDatabases } from './databases.ts'
import { expectRowsEqualChain } from './expectRowsEqualChain.ts'
import { indexerSettings } from './indexerSettings.ts'
import { DEEP, seeded } from './seed.ts'
import { openMarket, tradeOnce } from './trade.ts'

onBothDatabases((databases) => {
  let chain: Chain
  let act: Actor
  beforeAll(async () => {
    chain = await startChain({ blockTime: 0 })
    act = actorOn(chain)
    await openMarket(chain, act)
  })
  afterAll(() => chain.stop())

  it('indexes random trades into rows that equal the chain, live and backfilled', async () => {
    const random = seeded()
    const live = await setup(databases, chain)
    for (let round = 0; round < (DEEP ? 400 : 60); round += 1) {
      await tradeOnce(chain, act, random)
      await live.catchUp()
    }
    await expectRowsEqualChain(live.store.db, chain, act)
    expect(await checkAgainstChain(live.store, indexerSettings(chain), live.indexer.chain)).toEqual([])

    await act.rpc('anvil_mine', ['0x200'])
    // In many ranges, each on what the one before has written.
    const late = await setup(databases, chain, undefined, { logsPerWrite: 40 })
    await late.catchUp()
    expect(late.notes.filter(({ type }) => type === 'applied').length).toBeGreaterThan(4)
    await live.catchUp()
    expect(await dump(late.store)).toEqual(await dump(live.store))
    await live.close()
    await late.close()
  })

  it('rolls back reorgs of 1 to 64 blocks that change, drop and reorder events', async () => {
    const random = seeded()
    const live = await setup(databases, chain)
    await live.catchUp()
    const depths = DEEP ? Array.from({ length: 64 }, (_, index) => index + 1) : [1, 2, 7, 20, 64]
    for (const depth of depths) {
      const snapshot = await act.rpc('evm_snapshot')
      for (let block = 0; block < depth; block += 1) {
        await mineOne(act, depth < 25 || block % 8 === 0 ? () => tradeOnce(chain, act, random) : undefined)
        if (block % 5 === 0) await live.catchUp()
      }
      await live.catchUp()
      await act.rpc('evm_revert', [snapshot])
      await act.rpc('evm_increaseTime', [random.below(50) + 1])
      // Makes even an empty block differ: the time alone may be the same where blocks run ahead of the clock.
      await act.rpc('anvil_setCoinbase', [`0x${depth.toString(16).padStart(40, '0')}`])
      for (let block = 0; block < depth + 3; block += 1) {
        if (random.below(4) === 0) await tradeOnce(chain, act, random)
        else await act.rpc('evm_mine')
      }
      while ((await act.client.getBlockNumber()) <= BigInt(live.indexer.head)) await act.rpc('evm_mine')
      await live.catchUp()
      await expectRowsEqualChain(live.store.db, chain, act)
    }
    expect(live.notes.filter((note) => note.type === 'reorg')).toHaveLength(depths.length)
    const fresh = await setup(databases, chain)
    await fresh.catchUp()
    expect(await dump(live.store)).toEqual(await dump(fresh.store))
    await live.close()
    await fresh.close()
  })

  it('rebuilds after a reorg deeper than its window, and keeps off-chain data', async () => {
    const live = await setup(databases, chain)
    await live.catchUp()
    const snapshot = await act.rpc('evm_snapshot')
    await act.send(chain.accounts.provider, 'registry', 'revise', [{ name: 'lost', ip: '127.0.0.9', domain: '', port: 1 }])
    await act.rpc('anvil_mine', ['0x190'])
    await live.catchUp()
    await live.store.db.insertInto('newsletter').values({ email: 'a@b.example', locale: 'en', createdAt: 1 }).execute()
    await act.rpc('evm_revert', [snapshot])
    await act.rpc('evm_increaseTime', [7])
    await act.send(chain.accounts.provider, 'registry', 'revise', [{ name: 'kept', ip: '127.0.0.1', domain: '', port: 2 }])
    await act.rpc('anvil_mine', ['0x191'])
    await live.catchUp()
    expect(live.notes.some((note) => note.type === 'rebuild')).toBe(true)
    await expectRowsEqualChain(live.store.db, chain, act)
    expect(await live.store.db.selectFrom('newsletter').selectAll().execute()).toHaveLength(1)
    await live.close()
  })

  it('replays its raw logs when the handlers have changed, without fetching logs', async () => {
    const first = await setup(databases, chain)
    await first.catchUp()
    const before = await dump(first.store)
    await first.store.db.updateTable('cursor').set({ foldVersion: 999 }).execute()
    await first.close()
    const again = await setup(databases, chain, first.settings)
    await again.catchUp()
    expect(again.notes[0]).toMatchObject({ type: 'rebuild' })
    expect(await dump(again.store)).toEqual(before)
    await again.close()
  })

  it('rolls back a reorg that reaches behind the point of its last replay', async () => {
    const first = await setup(databases, chain)
    while ((Number(await act.client.getBlockNumber()) + 1) % 64 !== 0) await act.rpc('evm_mine')
    await act.send(chain.accounts.provider, 'registry', 'add_node', [NODE])
    const snapshot = await act.rpc('evm_snapshot')
    await act.send(chain.accounts.provider, 'registry', 'add_node', [NODE])
    await first.catchUp()
    await first.store.db.updateTable('cursor').set({ foldVersion: 999 }).execute()
    await first.close()
    const again = await setup(databases, chain, first.settings, { logsPerWrite: 1 })
    await again.catchUp()
    await act.rpc('evm_revert', [snapshot])
    await act.rpc('anvil_setCoinbase', [`0x${'c'.repeat(40)}`])
    for (let block = 0; block < 3; block += 1) await act.send(chain.accounts.otherProvider, 'registry', 'add_node', [NODE])
    await again.catchUp()
    await expectRowsEqualChain(again.store.db, chain, act)
    await again.close()
  })

  it('lets one of two indexers write, and the other take over', async () => {
    const first = await setup(databases, chain)
    await first.catchUp()
    const second = await setup(databases, chain, first.settings)
    expect(await second.indexer.step()).toBe(false)
    expect(second.indexer.state).toBe('standby')
    await act.rpc('evm_mine')
    await first.catchUp()
    await first.indexer.stop()
    await second.catchUp()
    expect(second.indexer.state).toBe('live')
    await act.rpc('evm_mine')
    await expect(first.catchUp()).rejects.toThrow('another indexer has taken over')
    await second.catchUp()
    await expectRowsEqualChain(second.store.db, chain, act)
    await second.close()
    await first.store.close()
  })
})

/** Extends the chain by at least one block, with a trade in it if the contracts allow it. */
async function mineOne(act: Actor, trade: (() => Promise<void>) | undefined): Promise<void> {
  const before = await act.client.getBlockNumber()
  await trade?.()
  if ((await act.client.getBlockNumber()) === before) await act.rpc('evm_mine')
}

async function setup(databases: Databases, chain: Chain, given?: StoreSettings, change: { logsPerWrite?: number } = {}) {
  const settings = given ?? (await databases.fresh())
  const store = await openStore(settings)
  const notes: IndexerNote[] = []
  const indexer = new Indexer(store, { ...indexerSettings(chain), ...change }, (note) => notes.push(note))
  return {
    settings,
    store,
    indexer,
    notes: notes as IndexerNote[],
    async catchUp() {
      while (await indexer.step());
    },
    async close() {
      await indexer.stop()
      await store.close()
    },
  }
}

/** Every row derived from the chain. */
async function dump(store: Store) {
  const { db } = store
  return {
    cursor: await db.selectFrom('cursor').select(['block', 'blockHash']).execute(),
    providers: await db.selectFrom('provider').selectAll().orderBy('address').execute(),
    nodes: await db.selectFrom('node').selectAll().orderBy('cp').orderBy('id').execute(),
    orders: await db.selectFrom('order').selectAll().orderBy('id').execute(),
    events: await db.selectFrom('orderEvent').selectAll().orderBy('block').orderBy('logIndex').execute(),
    pledges: await db.selectFrom('pledge').selectAll().orderBy('account').execute(),
    pledgeAccounts: await db.selectFrom('pledgeAccount').selectAll().orderBy('contract').orderBy('account').execute(),
    pledgeMoves: await db.selectFrom('pledgeMove').selectAll().orderBy('block').orderBy('logIndex').execute(),
    interestDays: await db.selectFrom('interestDay').selectAll().orderBy('contract').orderBy('day').execute(),
    earnings: await db.selectFrom('earning').selectAll().orderBy('cp').orderBy('day').orderBy('nodeId').execute(),
    totals: await db.selectFrom('globalStat').selectAll().execute(),
    buckets: await db.selectFrom('statBucket').selectAll().orderBy('step').orderBy('time').execute(),
    contracts: await db.selectFrom('contract').selectAll().orderBy('address').execute(),
    logs: await db.selectFrom('rawLog').selectAll().orderBy('block').orderBy('logIndex').execute(),
  }
}

import { lowerCaseAddress } from '@rackfair/rules/address'
import type { Kysely } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { onBothDatabases } from '../../test/databases.ts'
import { insertChanges } from './insertChanges.ts'
import { insertRows } from './insertRows.ts'
import { chainTables } from './migrations/chainTables.ts'
import { inTransaction, openStore, type Store } from './openStore.ts'

onBothDatabases((databases) => {
  it('migrates a database once, however often and from however many processes it is opened', async () => {
    const settings = await databases.fresh()
    const first = await openStore(settings)
    const second = await openStore(settings)
    await first.db
      .insertInto('pledge')
      .values({ account: lowerCaseAddress('0xa'), amount: '1', locked: '0' })
      .execute()
    expect(await second.db.selectFrom('pledge').selectAll().execute()).toEqual([
      { account: lowerCaseAddress('0xa'), amount: '1', locked: '0' },
    ])
    await first.close()
    await second.close()
  })

  it('migrates a database of an older version', async () => {
    const settings = await databases.fresh()
    const old = await openStore(settings, { migrate: false })
    await chainTables(old.kind).up(old.db)
    const recorded = { name: '001_chain', timestamp: new Date(0).toISOString() }
    await old.db.schema
      .createTable('kysely_migration')
      .addColumn('name', 'varchar(255)', (column) => column.notNull().primaryKey())
      .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
      .execute()
    await (old.db as unknown as Kysely<{ kysely_migration: typeof recorded }>)
      .insertInto('kysely_migration')
      .values(recorded)
      .execute()
    await old.close()

    const fresh = await openStore(await databases.fresh())
    const brought = await openStore(settings)
    const shape = async ({ db }: Store) =>
      (await db.introspection.getTables())
        .map(({ name, columns }) => `${name}: ${columns.map((column) => `${column.name} ${column.dataType}`).sort()}`)
        .sort()
    expect(await shape(brought)).toEqual(await shape(fresh))
    for (const store of [fresh, brought]) await store.close()
  })

  it('keeps every digit of an amount and an id', async () => {
    const { db } = await setup()
    const amount = '9'.repeat(77)
    await db
      .insertInto('pledge')
      .values({ account: lowerCaseAddress('0xa'), amount, locked: amount })
      .execute()
    expect(await db.selectFrom('pledge').selectAll().execute()).toEqual([
      { account: lowerCaseAddress('0xa'), amount, locked: amount },
    ])
    const orderId = 2n ** 63n - 1n
    const event = { block: 1, logIndex: 2 ** 40, name: 'OrderCreated', time: 3, transactionHash: '0x', args: '{}' }
    await db
      .insertInto('orderEvent')
      .values({ ...event, orderId })
      .execute()
    expect(await db.selectFrom('orderEvent').selectAll().where('orderId', '=', orderId).execute()).toEqual([
      { ...event, orderId },
    ])
  })

  it('keeps texts of strangers, with U+FFFD for what one of the databases refuses', async () => {
    const store = await setup()
    const event = { deploymentId: 'a', phase: 'Failed', at: 1, code: null }
    const texts = ['a\0b', 'half \ud83d', '\udc00 half', '機 💥 \u0001 "\\u0000"', '', 'NULL', '{a,"b"}\n\\', '\\N\t\r\n\\.']
    const rows = texts.map((message, position) => ({ ...event, position, message }))
    await insertRows(store, 'deploymentEvent', rows)
    const stored = await store.db.selectFrom('deploymentEvent').select('message').orderBy('position').execute()
    expect(stored.map(({ message }) => message)).toEqual(['a\ufffdb', 'half \ufffd', '\ufffd half', ...texts.slice(3)])
  })

  it('says why rows cannot be inserted, and goes on with the next ones', async () => {
    const store = await setup()
    const event = { block: 1, logIndex: 0, orderId: 1n, name: 'OrderCreated', time: 3, transactionHash: '0x', args: '{}' }
    await expect(insertRows(store, 'orderEvent', [event, event])).rejects.toThrow(/unique/i)
    await insertRows(store, 'orderEvent', [event])
    expect(await store.db.selectFrom('orderEvent').selectAll().execute()).toHaveLength(1)
  })

  it('commits all of a transaction or nothing', async () => {
    const { db } = await setup()
    const broken = db.transaction().execute(async (inside) => {
      await inside
        .insertInto('pledge')
        .values({ account: lowerCaseAddress('0xa'), amount: '1', locked: '0' })
        .execute()
      await inside
        .insertInto('pledge')
        .values({ account: lowerCaseAddress('0xa'), amount: '2', locked: '0' })
        .execute()
    })
    await expect(broken).rejects.toThrow()
    expect(await db.selectFrom('pledge').selectAll().execute()).toEqual([])
  })

  it('numbers changes in the order in which they become visible, with two concurrent writers', async () => {
    const settings = await databases.fresh()
    const first = await openStore(settings)
    // Two SQLite connections of one thread would wait for each other; the program has them in two threads.
    const stores = [first, databases.kind === 'sqlite' ? first : await openStore(settings)]
    const seen: number[] = []
    let last = 0
    const [reader] = stores as [Store]
    const read = async () => {
      const rows = await reader.db.selectFrom('change').select('seq').where('seq', '>', last).orderBy('seq').execute()
      for (const { seq } of rows) seen.push(seq)
      last = rows.at(-1)?.seq ?? last
    }
    const write = async (store: Store) => {
      for (let round = 0; round < 25; round += 1) {
        await inTransaction(store, (inside) => insertChanges(inside, [{ topic: 'node', user: '', body: '{}' }]))
        await read()
      }
    }
    await Promise.all(stores.map(write))
    await read()
    expect(seen.length).toBeGreaterThanOrEqual(50)
    expect(new Set(seen).size).toBe(50)
    for (const store of new Set(stores)) await store.close()
  })

  async function setup(): Promise<Store> {
    const store = await openStore(await databases.fresh())
    onTestFinished(() => store.close())
    return store
  }
})

import { lowerCaseAddress } from '@rackfair/rules/address'
import { expect, it, onTestFinished } from 'vitest'
import { onBothDatabases } from '../../test/databases.ts'
import { ChangeFeed } from '../feed/ChangeFeed.ts'
import { openStore } from '../store/openStore.ts'
import { Presence } from './Presence.ts'

const CP = lowerCaseAddress('0x00000000000000000000000000000000000000aa')

onBothDatabases((databases) => {
  it('writes when an agent connects and disconnects, but not on heartbeats', async () => {
    const { store, open, at } = await setup()
    const here = await open()
    for (let second = 0; second < 100; second += 1) {
      at(second)
      here.presence.heard(CP, '1')
      await here.presence.write()
    }
    expect(await store.db.selectFrom('change').selectAll().execute()).toHaveLength(1)
    expect(here.changed).toEqual([CP])
    at(99 + 90)
    expect([here.presence.isOnline(CP), here.presence.offlineSince(CP)]).toEqual([false, 99])
    await here.presence.sweep()
    expect(here.changed).toEqual([CP, CP])
    const row = { provider: CP, online: 0, lastSeen: 99, version: '1' }
    expect(await store.db.selectFrom('presence').selectAll().execute()).toEqual([expect.objectContaining(row)])
    expect(await store.db.selectFrom('change').selectAll().execute()).toHaveLength(2)
  })

  it('tells of a machine that changes with every message once a minute, and in the end what it is', async () => {
    const { store, open, at } = await setup()
    const here = await open()
    const machine = (cores: number) => JSON.stringify({ cores, memoryGb: 1, diskGb: 1, gpus: 0 })
    for (let message = 0; message < 600; message += 1) {
      at(message / 10)
      here.presence.heard(CP, String(message), machine(message))
      await here.presence.write()
    }
    const told = async () => (await store.db.selectFrom('change').selectAll().execute()).length
    expect(await told()).toBe(here.changed.length)
    expect(await told()).toBe(2)
    for (const minute of [2, 3]) {
      at(minute * 60)
      here.presence.heard(CP, '599', machine(599))
      await here.presence.sweep()
    }
    expect(here.presence.machineOf(CP)).toMatchObject({ cores: 599 })
    expect(await told()).toBe(3)
    expect((await store.db.selectFrom('presence').selectAll().execute())[0]).toMatchObject({ version: '599', online: 1 })
  })

  it('tells of one provider at most once a second, however often it moves, and in the end where it is', async () => {
    const { store, open, at } = await setup()
    const [first, second] = [await open(), await open()]
    for (let move = 0; move < 100; move += 1) {
      at(move / 100)
      const here = move % 2 === 0 ? first : second
      here.presence.heard(CP, '1')
      await here.presence.write()
      await first.follow()
      await second.follow()
    }
    // Once by each process.
    expect(await store.db.selectFrom('change').selectAll().execute()).toHaveLength(2)
    at(2)
    await first.presence.sweep()
    await second.follow()
    expect(await store.db.selectFrom('change').selectAll().execute()).toHaveLength(3)
    expect([first.changed, second.changed]).toEqual([[CP], [CP]])
  })

  it('notifies every process, and follows an agent from one to another', async () => {
    const { open, at } = await setup()
    const [first, second] = [await open(), await open()]
    first.presence.heard(CP, '1')
    await first.presence.write()
    await second.follow()
    expect([second.presence.isOnline(CP), second.changed]).toEqual([true, [CP]])
    at(60)
    second.presence.heard(CP, '1')
    await second.presence.write()
    await first.follow()
    at(100)
    await second.presence.sweep()
    await first.presence.sweep()
    expect([first.presence.isOnline(CP), second.presence.isOnline(CP)]).toEqual([true, true])
    at(150)
    await second.presence.sweep()
    await first.follow()
    expect([first.presence.isOnline(CP), first.presence.offlineSince(CP)]).toEqual([false, 60])
  })

  it('keeps an agent online through a restart, and drops it with its process', async () => {
    const { store, open, at } = await setup()
    const before = await open()
    before.presence.heard(CP, '1')
    await before.presence.write()
    at(20)
    await before.presence.sweep()
    at(60)
    const after = await open()
    expect(after.presence.isOnline(CP)).toBe(true)
    at(111)
    await after.presence.sweep()
    expect([after.presence.isOnline(CP), after.presence.offlineSince(CP), after.changed]).toEqual([false, 20, [CP, CP]])
    expect(await store.db.selectFrom('presence').select(['online', 'lastSeen']).execute()).toEqual([{ online: 0, lastSeen: 20 }])
  })

  async function setup() {
    const store = await openStore(await databases.fresh())
    onTestFinished(() => store.close())
    let seconds = 0
    return {
      store,
      at(later: number) {
        seconds = later
      },
      async open() {
        const changed: string[] = []
        const presence = new Presence(
          store,
          () => seconds * 1000,
          (providers) => changed.push(...providers),
        )
        const feed = new ChangeFeed(store, 60_000)
        feed.listen((changes) => presence.follow(changes))
        await feed.start()
        onTestFinished(() => feed.close())
        await presence.start()
        return {
          presence,
          changed,
          async follow() {
            const { seq } = await store.db.selectFrom('change').select('seq').orderBy('seq', 'desc').executeTakeFirstOrThrow()
            feed.wake()
            while (feed.position.seq < seq) await new Promise((resolve) => setTimeout(resolve, 1))
          },
        }
      },
    }
  }
})

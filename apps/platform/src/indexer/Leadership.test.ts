import { startPostgres, whyNoPostgres } from '@rackfair/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { openStore } from '../store/openStore.ts'
import { Leadership } from './Leadership.ts'

const missing = whyNoPostgres()

it.skipIf(missing)(
  `leaves nothing behind on its connection when it fails to become leader${missing ? ` (${missing})` : ''}`,
  async () => {
    const postgres = await startPostgres()
    const settings = { dataFolder: '', databaseUrl: await postgres.createDatabase() }
    const [first, second] = [await openStore(settings), await openStore(settings)]
    onTestFinished(async () => {
      await first.close()
      await second.close()
      await postgres.stop()
    })
    const leader = new Leadership(first)
    expect(await leader.acquire()).toBe(true)
    const client = await second.pool?.connect()
    const before = [client?.listenerCount('error'), client?.listenerCount('end')]
    client?.release()
    const waiting = new Leadership(second)
    for (let attempt = 0; attempt < 5; attempt += 1) expect(await waiting.acquire()).toBe(false)
    const again = await second.pool?.connect()
    expect([again?.listenerCount('error'), again?.listenerCount('end')]).toEqual(before)
    again?.release()
    await leader.release()
    expect(await waiting.acquire()).toBe(true)
    await waiting.release()
  },
)

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { onBothDatabases } from '../../test/databases.ts'
import { openStore } from '../store/openStore.ts'
import { ChangeFeed } from './ChangeFeed.ts'

onBothDatabases((databases) => {
  it('returns its connection to the store when it is closed while starting', async () => {
    const settings = await databases.fresh()
    for (let round = 0; round < 10; round += 1) {
      const store = await openStore(settings, { migrate: round === 0 })
      const feed = new ChangeFeed(store, 60_000)
      await feed.start()
      // The pool hands over a connection in the next turn; the answer to LISTEN takes longer.
      await nextTurn()
      feed.close()
      await expect(store.close()).resolves.toBeUndefined()
    }
  })
})

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { onBothDatabases } from '../../test/databases.ts'
import { listenOn } from './listenOn.ts'
import { openStore } from './openStore.ts'

onBothDatabases((databases) => {
  it('returns its connection when it is ended while it is opened', async () => {
    const settings = await databases.fresh()
    for (let round = 0; round < 10; round += 1) {
      const store = await openStore(settings, { migrate: false })
      const end = store.pool && listenOn(store.pool, 'rackfair_call', () => undefined)
      // The pool hands over a connection in some turn; the answer to LISTEN takes longer.
      for (let turn = 0; turn < round; turn += 1) await nextTurn()
      end?.()
      await expect(store.close()).resolves.toBeUndefined()
    }
  })
})

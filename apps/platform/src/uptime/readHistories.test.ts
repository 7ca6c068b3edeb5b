import { lowerCaseAddress } from '@rackfair/rules/address'
import { createCalendar, PRODUCTION_PACE } from '@rackfair/rules/uptime/epoch'
import type { KyselyPlugin } from 'kysely'
import { zeroAddress } from 'viem'
import { expect, it, onTestFinished } from 'vitest'
import { onBothDatabases } from '../../test/databases.ts'
import { insertRows } from '../store/insertRows.ts'
import { openStore } from '../store/openStore.ts'
import { readHistories } from './readHistories.ts'

const counted = 'nNode uNode nMem uMem nDisk uDisk ordersCompleted ordersRunning ordersDropped ordersMissed port'.split(' ')

onBothDatabases((databases) => {
  it('reads of one provider only, however many others there are', async () => {
    const store = await openStore(await databases.fresh())
    onTestFinished(() => store.close())
    const providers = Array.from({ length: 300 }, (_, position) => ({
      ...{ address: `0x${position.toString(16).padStart(40, '0')}`, position, name: 'a', ip: '', domain: '', withdrawn: '0' },
      ...{ operator: zeroAddress, ...Object.fromEntries(counted.map((name) => [name, 0])) },
    }))
    await insertRows(store, 'provider', providers)
    let rows = 0
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        rows += result.rows.length
        return result
      },
    }
    const provider = lowerCaseAddress(providers[7]?.address ?? '')
    await readHistories(store.db.withPlugin(counting), createCalendar(PRODUCTION_PACE), 1_800_000_000, provider)
    expect(rows).toBe(1)
  })
})

import { findingsAbi } from '@rackfair/contracts'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { encodeAbiParameters, encodeEventTopics } from 'viem'
import { expect, it } from 'vitest'
import { onBothDatabases } from '../../test/databases.ts'
import { openStore } from '../store/openStore.ts'
import type { RawLog } from './ChainSource.ts'
import { Fold } from './Fold.ts'
import { eventsOf, foldEvents } from './foldEvents.ts'

const MONITORS = lowerCaseAddress(`0x${'d1'.repeat(20)}`)
const ANYBODY = lowerCaseAddress(`0x${'a1'.repeat(20)}`)
const MAX_UINT64 = 2n ** 64n - 1n

onBothDatabases((databases) => {
  it('reads past maintenance that anybody announced, whatever the numbers of its node and epoch', async () => {
    const store = await openStore(await databases.fresh())
    const logs = [
      announcement(MAX_UINT64, 1_000n),
      announcement(1n, MAX_UINT64),
      announcement(2n ** 63n, 2n ** 63n),
      announcement(2n ** 53n + 1n, 2n ** 53n + 1n),
    ]
    const known = { provider: ANYBODY, nodeId: 1, firstEpoch: 1, epochs: 1, times: 1 }
    // PostgreSQL reads no keys for an empty table.
    await store.db.insertInto('maintenance').values(known).execute()
    const fold = new Fold()
    await foldEvents(store, fold, eventsOf(logs, new Map([[MONITORS, 'monitors']])))
    expect([...fold.changes()].map(({ table }) => table)).toEqual(['globalStat'])
    await store.close()
  })
})

function announcement(nodeId: bigint, firstEpoch: bigint): RawLog {
  const args = { provider: ANYBODY, nodeId }
  const topics = encodeEventTopics({ abi: findingsAbi, eventName: 'MaintenanceAnnounced', args }).join()
  const data = encodeAbiParameters([{ type: 'uint64' }, { type: 'uint16' }], [firstEpoch, 1])
  const place = { block: 1, logIndex: 0, blockHash: '0x', blockTime: 1, transactionHash: '0x' }
  return { ...place, address: MONITORS, topics, data }
}

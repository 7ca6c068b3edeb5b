import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { expect, it, onTestFinished } from 'vitest'
import { onBothDatabases } from '../../test/databases.ts'
import type { FeedChange } from '../feed/ChangeFeed.ts'
import { Presence } from '../presence/Presence.ts'
import { insertRows } from '../store/insertRows.ts'
import { openStore } from '../store/openStore.ts'
import { NodeIndex } from './NodeIndex.ts'

const ADDRESSES = ['a1', 'b2', 'c3', 'd4'].map((byte) => lowerCaseAddress(`0x${byte.repeat(20)}`))
const [HELIOS, COPY, SELENE, OTHER] = ADDRESSES as [LowerCaseAddress, LowerCaseAddress, LowerCaseAddress, LowerCaseAddress]
const COUNTED = 'nNode uNode nMem uMem nDisk uDisk ordersCompleted ordersRunning ordersDropped ordersMissed'.split(' ')
const NUMBERS = 'nCPU core nGPU nMEM nDISK pCPU pGPU pMEM pDISK rate rev orderId exist avail online addedTime minTerm'.split(' ')

onBothDatabases((databases) => {
  it('reads the nodes of a renamed provider again, and those of whose name it took or freed, but no others', async () => {
    const store = await openStore(await databases.fresh())
    onTestFinished(() => store.close())
    const counts = Object.fromEntries(COUNTED.map((name) => [name, 0]))
    const facts = { ip: '192.0.2.1', domain: '', port: 1, operator: OTHER, withdrawn: '0', ...counts }
    const named = ['helios', 'hélios', 'selene', 'other'].map((name, position) => ({ ...facts, name, position }))
    await insertRows(
      store,
      'provider',
      named.map((one, at) => ({ ...one, address: ADDRESSES[at] })),
    )
    const offer = { cpuModel: '', gpuModel: '', ...Object.fromEntries(NUMBERS.map((name) => [name, 1])) }
    await insertRows(
      store,
      'node',
      ADDRESSES.map((cp) => ({ ...offer, cp, id: 1 })),
    )
    const unknown = { of: () => undefined }
    const index = new NodeIndex(store.db, new Presence(store, Date.now, () => undefined), unknown, unknown)
    await index.load()
    const names = () => ADDRESSES.map((address) => index.entry(address, 1)?.node.providerName)
    const rename = async (address: LowerCaseAddress, name: string) => {
      await store.db.updateTable('provider').set({ name }).where('address', '=', address).execute()
      const before = ADDRESSES.map((one) => index.entry(one, 1))
      await index.follow([{ seq: 1, user: '', event: { type: 'provider', cp: address, block: 1 } } satisfies FeedChange])
      return ADDRESSES.filter((one, at) => index.entry(one, 1) !== before[at])
    }
    expect(names()).toEqual(['helios', 'hélios (…b2b2)', 'selene', 'other'])
    expect(await rename(OTHER, 'new')).toEqual([OTHER])
    expect(await rename(HELIOS, 'seléne')).toEqual([HELIOS, COPY, SELENE])
    expect(names()).toEqual(['seléne', 'hélios', 'selene (…c3c3)', 'new'])
    expect(index.index().nodes.map(({ providerName }) => providerName)).toEqual(names())
  })
})

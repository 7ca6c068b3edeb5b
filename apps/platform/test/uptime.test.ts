import { findingsAbi } from '@rackfair/contracts'
import { nodeOfferShape, nodeSearchAnswer } from '@rackfair/protocol/nodes'
import { orderEventsAnswer, orderShape, receiptShape } from '@rackfair/protocol/orders'
import { reliabilityAnswer } from '@rackfair/protocol/reliability'
import type { WireOf } from '@rackfair/protocol/shape'
import { monitorsAnswer, orderEvidenceAnswer } from '@rackfair/protocol/uptime'
import { zodOf } from '@rackfair/protocol/zodOf'
import { epochsOf } from '@rackfair/rules/uptime/epoch'
import { createWalletClient, http } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Indexer } from '../src/indexer/Indexer.ts'
import { type Database, openStore } from '../src/store/openStore.ts'
import { onBothDatabases } from './databases.ts'
import { indexerSettings } from './indexerSettings.ts'
import { type Market, startMarket } from './startMarket.ts'
import { type MonitoredMarket, monitorMarket } from './testing/monitoredMarket.ts'

onBothDatabases((databases) => {
  let market: Market
  let monitored: MonitoredMarket
  let order: { id: bigint; provider: `0x${string}`; nodeId: bigint }
  beforeAll(async () => {
    market = await startMarket(await databases.fresh())
    const { act, chain } = market
    monitored = await monitorMarket(chain, act)
    await act.becomeProvider()
    const { id } = await act.buy()
    order = { id, provider: chain.accounts.provider.address, nodeId: 1n }
    await act.send(chain.accounts.provider, 'market', 'activate', [id])
  })
  afterAll(async () => {
    await monitored?.stop()
    await market?.stop()
  })

  /** Polls until the platform has collected what the monitors published. */
  const reliabilityWhen = async (isThere: (answer: WireOf<typeof reliabilityAnswer>) => boolean, block: number) => {
    for (;;) {
      await market.platform.sweep()
      const { body } = await market.get(`/v1/nodes/${order.provider}/1/reliability?minBlock=${block}`)
      const answer = zodOf(reliabilityAnswer).parse(body)
      if (isThere(answer)) return answer
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  it('shows nothing for a node without observations, and records what monitors agree on', async () => {
    const { get, act } = market
    const before = zodOf(reliabilityAnswer).parse(
      (await get(`/v1/nodes/${order.provider}/1/reliability?minBlock=${await act.client.getBlockNumber()}`)).body,
    )
    expect(before).toMatchObject({ reliability: null, monitored: true, outages: [], maintenance: [], brokenOrders: [] })

    const period = await monitored.nextPeriod()
    monitored.see(order, period, '..xx.x')
    const found = await monitored.report(period, 'found')
    const challenged = await reliabilityWhen(({ outages }) => outages[0]?.reported === 3, found)
    expect(challenged.outages.map(({ state, epochs }) => [state, epochs])).toEqual([
      ['found', 1],
      ['found', 2],
    ])
    expect(challenged.reliability).toMatchObject({ outages: 0, failures: 1 })
    expect(zodOf(orderShape).parse((await get(`/v1/orders/${order.id}`)).body).down).toBe(0)

    const credited = await monitored.report(period)
    const { reliability, outages } = await reliabilityWhen(({ outages: [one] }) => one?.state === 'final', credited)
    const start = monitored.calendar.startOf(period)
    expect(outages[1]).toMatchObject({
      ...{ nodeId: 1, orderId: String(order.id), from: start + 600, until: start + 1200, epochs: 2, agreed: 3, reported: 3 },
    })
    // An outage of one epoch is refunded but does not count, as it is not longer than five minutes. The market takes no commission, so its
    // time counts by half.
    const seenDays = (6 * 300) / 86_400
    expect(reliability).toMatchObject({ outages: 1, brokenOrders: 0 })
    expect(reliability?.seenDays).toBeCloseTo(seenDays)
    expect(reliability?.countedDays).toBeCloseTo(seenDays / 2)
    expect(reliability?.strip).toMatch(/^-*1-*$/)
    expect(zodOf(orderShape).parse((await get(`/v1/orders/${order.id}`)).body).down).toBe(900)
    const { events } = zodOf(orderEventsAnswer).parse((await get(`/v1/orders/${order.id}/events`)).body)
    const final = events.find(({ name }) => name === 'DowntimeFinal')
    expect(final).toMatchObject({ args: { total: 900 }, transactionHash: outages[1]?.transactionHash })
    expect(zodOf(nodeOfferShape).parse((await get(`/v1/nodes/${order.provider}/1`)).body).reliability).toEqual(reliability)
    const together = zodOf(reliabilityAnswer).parse((await get(`/v1/cp/${order.provider}/reliability`)).body)
    expect(together).toMatchObject({ reliability, outages })
  })

  it('writes a receipt of every second of the order, with evidence and transaction of downtime', async () => {
    const { spans, asOf, order: wire } = zodOf(receiptShape).parse((await market.get(`/v1/orders/${order.id}/receipt`)).body)
    const down = spans.filter(({ kind }) => kind === 'down')
    expect(down.map(({ from, until, agreed, reported }) => [until - from, agreed, reported])).toEqual([
      [600, 3, 3],
      [300, 3, 3],
    ])
    expect(down.every(({ transactionHash }) => transactionHash !== null)).toBe(true)
    expect([spans[0]?.from, spans.at(-1)?.until]).toEqual([wire.activateTime, asOf])
    expect(spans.filter(({ kind }) => kind === 'paid').reduce((sum, { epochs }) => sum + epochs, 0)).toBe(3)
    const seconds = spans.reduce((sum, { from, until }) => sum + until - from, 0)
    expect(seconds).toBe(asOf - wire.activateTime)
  })

  it('filters and sorts nodes by reliability', async () => {
    const { get, act, chain } = market
    const other = await act.becomeProvider(chain.accounts.otherProvider, 'south')
    const list = async (query: string) =>
      zodOf(nodeSearchAnswer)
        .parse((await get(`/v1/nodes?minBlock=${other}&${query}`)).body)
        .items.map(({ nodename }) => nodename)
    // Nothing is known about the new one, which ranks above an outage in a very short history.
    expect(await list('sort=-reliability')).toEqual(['south-1', 'north-1'])
    expect(await list('sort=reliability')).toEqual(['north-1', 'south-1'])
    expect(await list('minReliability=25')).toEqual(['south-1'])
    expect(await list('minReliability=25.1')).toEqual([])
  })

  it('returns what every monitor reported, with proofs against the roots on chain', async () => {
    const { get } = market
    const { periods } = orderEvidenceAnswer.parse((await get(`/v1/orders/${order.id}/evidence`)).body)
    const [{ period, votes } = { period: 0, votes: [] }] = periods
    expect(votes.map(({ monitor }) => monitor).sort()).toEqual(monitored.monitors.map(({ address }) => address).sort())
    expect(votes.map(({ down }) => epochsOf(monitored.calendar, period, BigInt(down)).length)).toEqual([3, 3, 3])
    const { monitors } = monitorsAnswer.parse((await get('/v1/monitors')).body)
    expect(monitors.map(({ periods: count, lastPeriod }) => [count, lastPeriod])).toEqual([1, 2, 3].map(() => [1, period]))
    expect((await get('/v1/orders/999/evidence')).status).toBe(404)
  })

  it('lists announced maintenance, and refunds downtime within it without counting it', async () => {
    const { get, act, chain } = market
    const { provider } = chain.accounts
    const writer = createWalletClient({ account: provider, transport: http(chain.rpcUrl) })
    const write = async (functionName: 'announceMaintenance' | 'withdrawMaintenance', first: number, epochs: number) => {
      const call = { address: monitored.findings, abi: findingsAbi, chain: null, functionName } as const
      const hash = await writer.writeContract({ ...call, args: [[1n, 77n], BigInt(first), epochs] })
      return Number((await act.client.waitForTransactionReceipt({ hash })).blockNumber)
    }
    const { calendar } = monitored
    const before = await reliabilityWhen(() => true, Number(await act.client.getBlockNumber()))
    const period = (await monitored.nextPeriod()) + 4
    const first = calendar.firstEpoch(period)
    await write('announceMaintenance', first, 4)
    await write('announceMaintenance', first + 10, 1)
    const withdrawn = await write('withdrawMaintenance', first + 10, 1)
    const planned = await reliabilityWhen(({ maintenance }) => maintenance.length > 0, withdrawn)
    const start = calendar.startOf(period)
    expect(planned.maintenance).toEqual([{ nodeId: 1, from: start, until: start + 1200 }])
    const shown = await get(`/v1/orders/${order.id}`)
    expect(zodOf(orderShape).parse(shown.body).maintenance).toEqual([{ from: start, until: start + 1200 }])
    expect(planned.maintenanceUsed).toEqual([{ nodeId: 1, from: start, seconds: 1200, pieces: 1 }])
    expect(zodOf(reliabilityAnswer).parse((await get(`/v1/cp/${order.provider}/reliability`)).body).maintenance).toEqual(
      planned.maintenance,
    )

    await monitored.at(start - calendar.periodSeconds - 100)
    expect(await monitored.nextPeriod()).toBe(period)
    monitored.see(order, period, '..xxxx....')
    const credited = await monitored.report(period)
    // What monitors publish is read after what the chain says about it.
    const seenBefore = before.reliability?.seenDays ?? 0
    const after = await reliabilityWhen(
      ({ outages: [one], reliability }) =>
        one?.state === 'final' && one.from > start && (reliability?.seenDays ?? 0) > seenBefore,
      credited,
    )
    expect(after.maintenance).toEqual([])
    expect(zodOf(orderShape).parse((await get(`/v1/orders/${order.id}`)).body).maintenance).toBeUndefined()
    expect(after.outages.slice(0, 2).map(({ announced, from, epochs }) => [announced, from - start, epochs])).toEqual([
      [false, 1200, 2],
      [true, 600, 2],
    ])
    expect(after.reliability?.outages).toBe((before.reliability?.outages ?? 0) + 1)
    expect(after.reliability?.seenDays).toBeCloseTo(seenBefore + 1800 / 86_400)
    expect(zodOf(orderShape).parse((await get(`/v1/orders/${order.id}`)).body).down).toBe(900 + 1200)
    const { events } = zodOf(orderEventsAnswer).parse((await get(`/v1/orders/${order.id}/events`)).body)
    expect(events.find(({ name }) => name === 'MaintenanceFinal')).toMatchObject({ args: { maintenance: 600 } })
  })

  it('is the same live and after a reorg that changes a finding', async () => {
    const { chain, act } = market
    const live = await setup()
    await live.catchUp()
    const snapshot = await act.rpc('evm_snapshot')
    const period = await monitored.nextPeriod()
    monitored.see(order, period, 'xxxx')
    await monitored.report(period)
    await live.catchUp()
    expect((await live.findings()).length).toBe(3)
    await act.rpc('evm_revert', [snapshot])
    await act.send(chain.accounts.faucet, 'credit', 'transfer', [chain.accounts.user.address, 1n])
    while ((await act.client.getBlockNumber()) <= BigInt(live.indexer.head)) await act.rpc('evm_mine')
    await live.catchUp()
    expect((await live.findings()).length).toBe(2)
    const fresh = await setup()
    await fresh.catchUp()
    for (const table of ['monitor', 'monitorReport', 'finding', 'maintenance', 'contract'] as const)
      expect(await rowsOf(live.store.db, table)).toEqual(await rowsOf(fresh.store.db, table))
    await live.close()
    await fresh.close()
  })

  async function setup() {
    const store = await openStore(await databases.fresh())
    const indexer = new Indexer(store, indexerSettings(market.chain))
    return {
      store,
      indexer,
      async catchUp() {
        while (await indexer.step());
      },
      findings: () => store.db.selectFrom('finding').selectAll().execute(),
      async close() {
        await indexer.stop()
        await store.close()
      },
    }
  }
})

async function rowsOf(
  db: Database,
  table: 'monitor' | 'monitorReport' | 'finding' | 'maintenance' | 'contract',
): Promise<string[]> {
  const rows = await db.selectFrom(table).selectAll().execute()
  return rows
    .map((row) => JSON.stringify(Object.entries(row).sort(), (_, value) => (typeof value === 'bigint' ? String(value) : value)))
    .sort()
}

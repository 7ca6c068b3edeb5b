import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { OrderStatus } from '@rackfair/rules/order/status'
import { zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStore, type Store } from '../../store/openStore.ts'
import type { ChainEvent, ContractKind, EventArgs, EventName } from '../decodeLog.ts'
import { Fold } from '../Fold.ts'
import type { FoldRow, FoldTable } from '../foldTables.ts'
import { prefetch } from '../prefetch.ts'
import { writeFold } from '../writeFold.ts'
import { handleEvent } from './index.ts'

const DAY = 86_400
const NOW = 20_000 * DAY + 5_000
const [CP, USER, MONITOR, MARKET, PLEDGE] = ['c1', 'b1', 'd1', 'e1', 'f1'].map((byte) =>
  lowerCaseAddress(`0x${byte.repeat(20)}`),
) as [LowerCaseAddress, LowerCaseAddress, LowerCaseAddress, LowerCaseAddress, LowerCaseAddress]
const PRICES = { pCPU: 1n, pGPU: 20n, pMEM: 300n, pDISK: 4_000n }
const NODE = { cpuModel: 'EPYC', gpuModel: 'RTX 4090', nCPU: 2, core: 64, nGPU: 8, nMEM: 256, nDISK: 1_000, ...PRICES }
const SMALL = { ...NODE, gpuModel: 'A2', nCPU: 1, core: 16, nGPU: 1, nMEM: 32, nDISK: 100 }
/** The price of each per month: 2 + 8 * 20 + 256 * 300 + 1,000 * 4,000, and 1 + 20 + 32 * 300 + 100 * 4,000. */
const [NODE_RATE, SMALL_RATE] = ['4076962', '409621']

let logs = 0
/** Without any row. */
let empty: Store
let withOrder: Store
const folder = mkdtempSync(join(tmpdir(), 'rackfair-fold-'))
beforeAll(async () => {
  empty = await openStore({ dataFolder: join(folder, 'empty'), databaseUrl: undefined })
  withOrder = await openStore({ dataFolder: join(folder, 'order'), databaseUrl: undefined })
  await writeFold(withOrder, await folded(empty, ordered()), undefined)
})
afterAll(async () => {
  for (const store of [empty, withOrder]) await store.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a provider', () => {
  test('is registered empty', async () => {
    const rows = await fold(registered())
    expect(rows('provider', CP)).toStrictEqual({
      ...{ address: CP, position: 0, name: 'cp', ip: '192.0.2.1', domain: 'cp.example', port: 443 },
      operator: zeroAddress,
      ...{ nNode: 0, uNode: 0, nMem: 0, uMem: 0, nDisk: 0, uDisk: 0 },
      ...{ ordersCompleted: 0, ordersRunning: 0, ordersDropped: 0, ordersMissed: 0, withdrawn: '0' },
    })
    expect(rows('globalStat', '1')).toMatchObject({ cpNumber: 1, nodeGlobal: 0 })
  })

  test('keeps the position of its registration', async () => {
    const rows = await fold(registered(), registered(USER))
    expect([rows('provider', CP).position, rows('provider', USER).position]).toEqual([0, 1])
    expect(rows('globalStat', '1').cpNumber).toBe(2)
  })

  test('updates its profile and its operator', async () => {
    const revised = { name: 'new', ip: '192.0.2.2', domain: '', port: 80 }
    const rows = await fold(
      registered(),
      event('registry', 'ProviderRevised', { cp: CP, ...revised }),
      event('registry', 'OperatorSet', { cp: CP, operator: USER }),
    )
    expect(rows('provider', CP)).toMatchObject({ address: CP, position: 0, ...revised, operator: USER })
  })

  test('sums up its withdrawals', async () => {
    const withdrawn = (amount: bigint) => event('market', 'ProviderWithdrawn', { provider: CP, to: USER, amount })
    const rows = await fold(registered(), withdrawn(10n ** 30n), withdrawn(7n))
    expect(rows('provider', CP)).toMatchObject({ name: 'cp', withdrawn: String(10n ** 30n + 7n) })
  })
})

describe('a node', () => {
  test('is added with its offer, and counted', async () => {
    const rows = await fold(registered(), added(1n, NODE), added(2n, SMALL))
    expect(rows('node', `${CP}|1`)).toStrictEqual({
      ...{ cp: CP, id: 1, ...NODE, pCPU: '1', pGPU: '20', pMEM: '300', pDISK: '4000', rate: NODE_RATE },
      ...{ rev: 1, orderId: 0, exist: 1, avail: 0, online: 1, addedTime: NOW, minTerm: 0 },
    })
    expect(rows('node', `${CP}|2`)).toMatchObject({ id: 2, gpuModel: 'A2', rate: SMALL_RATE })
    expect(rows('provider', CP)).toMatchObject({ name: 'cp', nNode: 2, nMem: 288, nDisk: 1_100, uNode: 0 })
    expect(rows('globalStat', '1')).toMatchObject({
      ...{ cpNumber: 1, nodeGlobal: 2, cpuGlobal: 3, gpuGlobal: 9, memGlobal: 288, diskGlobal: 1_100 },
      ...{ nodeUsed: 0, cpuUsed: 0, gpuUsed: 0, memUsed: 0, diskUsed: 0 },
    })
  })

  test('is updated, and counted with its new offer', async () => {
    const rows = await fold(
      registered(),
      added(1n, NODE),
      event('registry', 'NodeUpdated', { cp: CP, id: 1n, rev: 2, node: SMALL }),
    )
    expect(rows('node', `${CP}|1`)).toMatchObject({
      ...{ ...SMALL, pCPU: '1', pGPU: '20', pMEM: '300', pDISK: '4000', rate: SMALL_RATE },
      ...{ rev: 2, exist: 1, online: 1, addedTime: NOW },
    })
    expect(rows('provider', CP)).toMatchObject({ nNode: 1, nMem: 32, nDisk: 100 })
    expect(rows('globalStat', '1')).toMatchObject({ nodeGlobal: 1, cpuGlobal: 1, gpuGlobal: 1, memGlobal: 32, diskGlobal: 100 })
  })

  test('is deleted, and no longer counted', async () => {
    const rows = await fold(
      registered(),
      added(1n, NODE),
      added(2n, SMALL),
      event('registry', 'NodeAvailSet', { cp: CP, id: 1n, avail: true }),
      event('registry', 'NodeDeleted', { cp: CP, id: 1n }),
    )
    expect(rows('node', `${CP}|1`)).toMatchObject({ gpuModel: 'RTX 4090', exist: 0, avail: 0, online: 0, rev: 2 })
    expect(rows('provider', CP)).toMatchObject({ nNode: 1, nMem: 32, nDisk: 100 })
    expect(rows('globalStat', '1')).toMatchObject({ nodeGlobal: 1, cpuGlobal: 1, gpuGlobal: 1, memGlobal: 32, diskGlobal: 100 })
  })

  test('is sold and freed, and counted accordingly', async () => {
    const begun = [registered(), added(1n, NODE), added(2n, SMALL), sold(1n, true), sold(2n, true), deployed(1n, true)]
    const busy = await fold(...begun)
    expect(busy('node', `${CP}|1`)).toMatchObject({ gpuModel: 'RTX 4090', orderId: 7n, avail: 1 })
    expect(busy('provider', CP)).toMatchObject({ nNode: 2, uNode: 2, uMem: 288, uDisk: 1_100 })
    expect(busy('globalStat', '1')).toMatchObject({
      ...{ nodeGlobal: 2, nodeUsed: 2, cpuUsed: 3, gpuUsed: 9, memUsed: 288, diskUsed: 1_100 },
    })
    const free = await fold(...begun, sold(1n, false))
    expect(free('node', `${CP}|1`)).toMatchObject({ gpuModel: 'RTX 4090', orderId: 0, avail: 0 })
    expect(free('provider', CP)).toMatchObject({ nNode: 2, uNode: 1, uMem: 32, uDisk: 100 })
    expect(free('globalStat', '1')).toMatchObject({
      ...{ nodeGlobal: 2, nodeUsed: 1, cpuUsed: 1, gpuUsed: 1, memUsed: 32, diskUsed: 100 },
    })
  })

  test('is sold for at least the time that it names last', async () => {
    const longer = (minTerm: number) => event('registry', 'MinTermSet', { cp: CP, id: 1n, minTerm })
    const rows = await fold(registered(), added(1n, NODE), longer(86_400), longer(7_200))
    expect(rows('node', `${CP}|1`)).toMatchObject({ gpuModel: 'RTX 4090', minTerm: 7_200 })
  })

  test('is deployed and online, or neither', async () => {
    const online = (on: boolean) => event('registry', 'OnlineSet', { cp: CP, id: 1n, online: on })
    const states = [
      [deployed(1n, true), online(false)],
      [deployed(1n, true), deployed(1n, false), online(false), online(true)],
    ].map(async (events) => (await fold(registered(), added(1n, NODE), ...events))('node', `${CP}|1`))
    expect(await Promise.all(states)).toEqual([
      expect.objectContaining({ gpuModel: 'RTX 4090', avail: 1, online: 0 }),
      expect.objectContaining({ gpuModel: 'RTX 4090', avail: 0, online: 1 }),
    ])
  })
})

describe('an order', () => {
  test('is created with its terms', async () => {
    const rows = await fold(registered(), added(3n, NODE), created())
    expect(rows('order', '7')).toStrictEqual({
      ...{ id: 7n, user: USER, provider: CP, nodeId: 3, rev: 1, app: '{}', status: OrderStatus.Created },
      ...{ createTime: NOW, activateTime: 0, deployTime: 0, lastSettleTime: NOW, closeTime: 0, duration: 9_000 },
      ...{ probation: 1, holdback: 2, penalty: 3, commissionBps: 4 },
      ...{ down: 0, reportedUntil: 0, downSince: 0, pending: '0', pendingUntil: 0, userConfirm: 0, providerConfirm: 0 },
      ...{ rate: NODE_RATE, totalValue: '5000', remuneration: '0', commission: '0', refunded: '0', compensated: '0' },
      ...{ pCPU: '1', pGPU: '20', pMEM: '300', pDISK: '4000', nCPU: 2, nGPU: 8, nMEM: 256, nDISK: 1_000 },
      ...{ cpuModel: 'EPYC', gpuModel: 'RTX 4090', core: 64 },
    })
  })

  test('is activated, and counted as running', async () => {
    const rows = await foldOrder(activated())
    const started = { status: OrderStatus.Active, activateTime: NOW + 1, lastSettleTime: NOW + 1, providerConfirm: 1 }
    expect(rows('order', '7')).toMatchObject({ user: USER, createTime: NOW, ...started })
    expect(rows('provider', CP)).toMatchObject({ name: 'cp', ordersRunning: 1, ordersCompleted: 0 })
  })

  test.each<[string, () => ChainEvent, object]>([
    ['is deployed', () => market('OrderDeployed', { time: NOW + 2 }), { deployTime: NOW + 2 }],
    ['is confirmed', () => market('OrderConfirmed', {}), { userConfirm: 1 }],
    [
      'is extended',
      () => market('OrderExtended', { by: USER, duration: 9_500, paid: 300n }),
      { duration: 9_500, totalValue: '5300', userConfirm: 1 },
    ],
    [
      'is extended by somebody else, who confirms nothing',
      () => market('OrderExtended', { by: CP, duration: 9_500, paid: 300n }),
      { duration: 9_500, totalValue: '5300', userConfirm: 0 },
    ],
    [
      'is credited its downtime',
      () => market('DowntimeCredited', { total: 60, asOf: NOW + 3, since: NOW + 2 }),
      { down: 60, reportedUntil: NOW + 3, downSince: NOW + 2 },
    ],
    [
      'waits for reports',
      () => market('PaymentPending', { amount: 40n, until: NOW + 9 }),
      { pending: '40', pendingUntil: NOW + 9 },
    ],
    ['has another application', () => market('AppSet', { app: '{"a":1}' }), { app: '{"a":1}' }],
  ])('%s', async (_, change, expected) =>
    expect((await foldOrder(change()))('order', '7')).toMatchObject({ user: USER, duration: 9_000, ...expected }),
  )

  test('is settled, with daily earnings', async () => {
    const settled = (at: number, gross: bigint, commission: bigint) => market('OrderSettled', { upTo: at, gross, commission }, at)
    const rows = await foldOrder(settled(NOW + 1, 100n, 4n), settled(NOW + 2, 50n, 2n), settled(NOW + DAY, 7n, 1n))
    expect(rows('order', '7')).toMatchObject({ user: USER, lastSettleTime: NOW + DAY, remuneration: '157', commission: '7' })
    const day = NOW - 5_000
    const key = { cp: CP, nodeId: 3 }
    expect(rows('earning', `${CP}|${day}|3`)).toStrictEqual({ ...key, day, gross: '150', commission: '6' })
    expect(rows('earning', `${CP}|${day + DAY}|3`)).toStrictEqual({ ...key, day: day + DAY, gross: '7', commission: '1' })
  })

  test('that continues an earlier one has its application', async () => {
    const app = market('AppSet', { app: 'nginx' })
    const next = { ...created(), args: { ...created().args, id: 8n, app: '' } } as ChainEvent
    const rows = await foldOrder(app, next, market('OrderMoved', { from: 7n, id: 8n }))
    expect(rows('order', '8')).toMatchObject({ user: USER, app: 'nginx' })
  })

  test('adds the pending refund to the earlier one', async () => {
    const rows = await foldOrder(
      closed(OrderStatus.UserCancelled),
      market('PaymentPending', { amount: 40n, until: NOW + 9 }),
      market('PendingSettled', { refunded: 12n }),
    )
    expect(rows('order', '7')).toMatchObject({ user: USER, pending: '0', pendingUntil: 0, refunded: '21' })
  })

  test('is compensated for a cancel and for downtime', async () => {
    const rows = await foldOrder(
      market('BuyerCompensated', { fromPledge: 30n }),
      market('DowntimeCompensated', { total: 60, amount: 12n }),
    )
    expect(rows('order', '7')).toMatchObject({ user: USER, compensated: '42' })
  })

  test.each<[string, ChainEvent[], number, object]>([
    ['before it runs', [], OrderStatus.UserCancelled, {}],
    ['by the provider before it runs', [], OrderStatus.ProviderCancelled, { ordersMissed: 1 }],
    ['by the provider while it runs', [activated()], OrderStatus.ProviderCancelled, { ordersDropped: 1 }],
    ['by the user while it runs', [activated()], OrderStatus.UserCancelled, {}],
    ['at its end', [activated()], OrderStatus.Completed, { ordersCompleted: 1 }],
  ])('is closed %s', async (_, before, status, counted) => {
    const rows = await foldOrder(...before, closed(status))
    expect(rows('order', '7')).toMatchObject({ user: USER, status, closeTime: NOW + 4, refunded: '9' })
    const none = { ordersCompleted: 0, ordersRunning: 0, ordersDropped: 0, ordersMissed: 0 }
    expect(rows('provider', CP)).toMatchObject({ name: 'cp', ...none, ...counted })
  })
})

describe('a pledge', () => {
  const ONE = 10n ** 27n
  const pledge = <Name extends EventName>(name: Name, args: object, time = NOW) =>
    event('pledge', name, args as EventArgs<Name>, { address: PLEDGE, time })
  const accrued = (index: bigint, time = NOW) => pledge('InterestAccrued', { index, used: 0n, time }, time)
  const pledged = pledge('Pledged', { account: CP, amount: 500n, balance: 500n })
  const locked = pledge('Locked', { account: CP, orderId: 7n, amount: 200n, locked: 200n })
  const none = { contract: PLEDGE, account: CP, pledged: '0', locked: '0', interestIndex: '0', earned: '0', withdrawn: '0' }

  test.each<[string, ChainEvent, object, object]>([
    ['pledged', pledged, { pledged: '500' }, { amount: '500' }],
    ['unpledged', pledge('Unpledged', { account: CP, amount: 20n, balance: 80n }), { pledged: '80' }, { amount: '20' }],
    [
      'compensated',
      pledge('Compensated', { account: CP, to: USER, market: MARKET, taken: 30n, balance: 70n }),
      { pledged: '70' },
      { amount: '30' },
    ],
    ['locked', locked, { locked: '200' }, { amount: '200' }],
    ['unlocked', pledge('Unlocked', { account: CP, orderId: 7n, amount: 40n, locked: 60n }), { locked: '60' }, { amount: '40' }],
  ])('is %s', async (kind, one, state, moved) => {
    const rows = await fold(one)
    const after = { ...none, ...state }
    expect(rows('pledgeAccount', `${PLEDGE}|${CP}`)).toStrictEqual(after)
    expect(rows('pledge', CP)).toStrictEqual({ account: CP, amount: after.pledged, locked: after.locked })
    const { block, logIndex, time, transactionHash } = one
    expect(rows('pledgeMove', `${block}|${logIndex}`)).toStrictEqual({
      ...{ ...after, block, logIndex, time, transactionHash, kind, ...moved },
    })
  })

  test('keeps what an event does not change', async () => {
    const rows = await fold(pledged, locked, pledge('Unpledged', { account: CP, amount: 100n, balance: 400n }))
    expect(rows('pledge', CP)).toEqual({ account: CP, amount: '400', locked: '200' })
    expect(rows('pledgeAccount', `${PLEDGE}|${CP}`)).toMatchObject({ pledged: '400', locked: '200' })
  })

  test('earns the growth of the index while it is locked', async () => {
    const unlocked = pledge('Unlocked', { account: CP, orderId: 7n, amount: 150n, locked: 50n })
    const paid = pledge('InterestWithdrawn', { account: CP, amount: 450n })
    const rows = await fold(accrued(ONE), locked, accrued(3n * ONE), unlocked, accrued(4n * ONE), paid)
    const after = { contract: PLEDGE, account: CP, pledged: '0', locked: '50', interestIndex: String(4n * ONE), earned: '450' }
    expect(rows('pledgeAccount', `${PLEDGE}|${CP}`)).toEqual({ ...after, withdrawn: '450' })
    expect(rows('pledgeMove', `${unlocked.block}|${unlocked.logIndex}`)).toMatchObject({ earned: '400', withdrawn: '0' })
    expect(rows('pledgeMove', `${paid.block}|${paid.logIndex}`)).toMatchObject({ kind: 'interest', amount: '450' })
  })

  test('sums up interest paid, which changes no pledge', async () => {
    const paid = (amount: bigint) => pledge('InterestWithdrawn', { account: CP, amount })
    const rows = await fold(paid(3n), paid(4n))
    expect(rows('pledgeAccount', `${PLEDGE}|${CP}`)).toMatchObject({ withdrawn: '7', earned: '0' })
    expect(() => rows('pledge', CP)).toThrow('no row')
  })

  test('has an index, of which the last of each day is kept', async () => {
    const rows = await fold(accrued(1n), accrued(2n, NOW + 1), accrued(3n, NOW + DAY))
    expect(rows('pledgeContract', PLEDGE)).toStrictEqual({ address: PLEDGE, interestIndex: '3' })
    const [first, second] = [NOW - 5_000, NOW - 5_000 + DAY]
    const row = { contract: PLEDGE, day: first, time: NOW + 1, interestIndex: '2' }
    expect(rows('interestDay', `${PLEDGE}|${first}`)).toStrictEqual(row)
    expect(rows('interestDay', `${PLEDGE}|${second}`)).toMatchObject({ day: second, time: NOW + DAY, interestIndex: '3' })
  })
})

describe('a monitor', () => {
  const joined = monitors('MonitorJoined', { monitor: MONITOR, bond: 90n })
  const fresh = { address: MONITOR, url: '', bond: '0', joinedAt: 0, leftAt: 0, slashedAt: 0 }
  const root = `0x${'12'.repeat(32)}` as const
  const revealed = monitors('Revealed', { monitor: MONITOR, period: 5n, root }, NOW + 2)
  const slashed = monitors('MonitorSlashed', { monitor: MONITOR, period: 5n, prover: USER, amount: 60n }, NOW + 3)

  test.each<[string, ChainEvent[], object]>([
    ['joins', [joined], { bond: '90', joinedAt: NOW }],
    ['announces its address', [monitors('MonitorAnnounced', { monitor: MONITOR, url: 'https://m' })], { url: 'https://m' }],
    [
      'leaves',
      [joined, monitors('MonitorLeft', { monitor: MONITOR, until: NOW + 9 }, NOW + 1)],
      { bond: '90', joinedAt: NOW, leftAt: NOW + 1 },
    ],
    ['has its bond returned', [joined, monitors('BondReturned', { monitor: MONITOR, amount: 90n })], { joinedAt: NOW }],
    ['is slashed', [joined, slashed], { bond: '30', joinedAt: NOW, slashedAt: NOW + 3 }],
    [
      'joins again after it left and was slashed',
      [joined, monitors('MonitorLeft', { monitor: MONITOR, until: NOW }), slashed, joined],
      { bond: '90', joinedAt: NOW },
    ],
  ])('%s', async (_, events, expected) =>
    expect((await fold(...events))('monitor', MONITOR)).toStrictEqual({ ...fresh, ...expected }),
  )

  test('commits to a report and reveals it, until it is slashed', async () => {
    const committed = monitors('Committed', { monitor: MONITOR, period: 5n, commitment: root }, NOW + 1)
    const [before, later] = [await fold(committed), await fold(committed, revealed)]
    const none = { monitor: MONITOR, period: 5, root: '', revealedAt: 0, revealHash: '' }
    const row = { ...none, committedAt: NOW + 1, commitHash: committed.transactionHash }
    expect(before('monitorReport', `${MONITOR}|5`)).toStrictEqual(row)
    const whole = { ...row, root, revealedAt: NOW + 2, revealHash: revealed.transactionHash }
    expect(later('monitorReport', `${MONITOR}|5`)).toStrictEqual(whole)
    const after = await fold(committed, revealed, slashed)
    expect(after('monitorReport', `${MONITOR}|5`)).toStrictEqual({ ...whole, root: '' })
  })

  test('reveals without a commitment that the indexer has seen', async () =>
    expect((await fold(revealed))('monitorReport', `${MONITOR}|5`)).toMatchObject({ committedAt: 0, commitHash: '', root }))
})

describe('a finding', () => {
  const about = { market: MARKET, orderId: 7n, period: 5n }
  const found = monitors('Found', { ...about, down: 0b1010n, finalAt: NOW + 8 })
  const key = { orderId: 7n, period: 5, market: MARKET, provider: CP, nodeId: 3 }
  const row = { ...key, down: '0xa', finalAt: NOW + 8, state: 'found', total: 0, foundHash: found.transactionHash, finalHash: '' }
  const final = monitors('DowntimeFinal', { ...about, total: 60, asOf: NOW + 9 })

  test.each<[string, ChainEvent[], object]>([
    ['is found', [found], {}],
    ['is dropped', [found, monitors('FindingDropped', about)], { down: '0x0', state: 'dropped' }],
    ['is final', [found, final], { state: 'final', total: 60, finalHash: final.transactionHash }],
    [
      'is final although nothing was found',
      [final],
      {
        ...{ down: '0x0', finalAt: 0, state: 'final', total: 60 },
        ...{ foundHash: final.transactionHash, finalHash: final.transactionHash },
      },
    ],
  ])('%s', async (_, events, expected) =>
    expect((await foldOrder(...events))('finding', '7|5')).toStrictEqual({ ...row, ...expected }),
  )

  test('writes its order, so that subscribers are notified', async () =>
    expect(await tablesWritten(found)).toEqual(['finding', 'order']))
})

describe('maintenance', () => {
  const about = { provider: CP, nodeId: 3n, firstEpoch: 1_000n, epochs: 12 }
  const announced = monitors('MaintenanceAnnounced', about)
  const withdrawn = monitors('MaintenanceWithdrawn', about)
  const key = `${CP}|3|1000|12`

  test.each<[ChainEvent[], number]>([
    [[announced], 1],
    [[announced, announced], 2],
    [[announced, announced, withdrawn], 1],
    [[announced, withdrawn], 0],
  ])('counts as many announcements as are not withdrawn', async (events, times) =>
    expect((await foldOrder(...events))('maintenance', key)).toStrictEqual({
      ...{ provider: CP, nodeId: 3, firstEpoch: 1_000, epochs: 12, times },
    }),
  )

  test.each<[bigint, boolean]>([
    [2n ** 40n, true],
    [2n ** 40n + 1n, false],
  ])('from epoch %s is kept: %j', async (firstEpoch, isKept) => {
    const rows = await foldOrder(monitors('MaintenanceAnnounced', { ...about, firstEpoch }))
    const row = () => rows('maintenance', `${CP}|3|${firstEpoch}|12`)
    if (isKept) expect(row()).toMatchObject({ firstEpoch: Number(firstEpoch), times: 1 })
    else expect(row).toThrow('no row')
  })

  test('of an unknown node is dropped', async () => {
    const rows = await fold(announced)
    expect(() => rows('maintenance', key)).toThrow('no row')
  })

  test('writes its node, so that subscribers are notified', async () =>
    expect(await tablesWritten(announced)).toEqual(['maintenance', 'node']))
})

describe('a contract', () => {
  const set = { credit: USER, registry: CP, pledge: PLEDGE, market: MARKET }

  test('is followed once its version is published', async () => {
    const rows = await fold(event('access', 'VersionPublished', { ver: 2, set, firstOrderId: 9n }))
    expect(rows('contract', PLEDGE)).toStrictEqual({ address: PLEDGE, kind: 'pledge', version: 2 })
    expect(rows('contract', MARKET)).toStrictEqual({ address: MARKET, kind: 'market', version: 2 })
  })

  test('is followed as the validator', async () => {
    const rows = await fold(event('access', 'RoleSet', { role: 1, account: MONITOR }))
    expect(rows('contract', MONITOR)).toStrictEqual({ address: MONITOR, kind: 'monitors', version: 0 })
  })

  test('may emit events without effect', async () => {
    const rows = await fold(event('access', 'Unpaused', []))
    expect(rows('globalStat', '1')).toMatchObject({ cpNumber: 0 })
  })
})

function event<Name extends EventName>(
  kind: ContractKind,
  name: Name,
  args: EventArgs<Name>,
  { address = MARKET, time = NOW } = {},
): ChainEvent<Name> {
  logs += 1
  return { kind, name, args, address, block: 100 + logs, logIndex: logs, time, transactionHash: `0x${logs}` }
}

const registered = (cp = CP) =>
  event('registry', 'ProviderRegistered', { cp, name: 'cp', ip: '192.0.2.1', domain: 'cp.example', port: 443 })
const added = (id: bigint, node: typeof NODE) => event('registry', 'NodeAdded', { cp: CP, id, node })
const sold = (id: bigint, isSold: boolean) => event('registry', 'NodeSoldSet', { cp: CP, id, orderId: 7n, sold: isSold })
const deployed = (id: bigint, avail: boolean) => event('registry', 'NodeAvailSet', { cp: CP, id, avail })

function market<Name extends EventName>(name: Name, args: object, time = NOW): ChainEvent<Name> {
  return event('market', name, { id: 7n, ...args } as EventArgs<Name>, { time })
}

function monitors<Name extends EventName>(name: Name, args: EventArgs<Name>, time = NOW): ChainEvent<Name> {
  return event('monitors', name, args, { time })
}

const created = () =>
  market('OrderCreated', {
    ...{ user: USER, provider: CP, nodeId: 3n, rev: 1, duration: 9_000, totalValue: 5_000n, app: '{}' },
    rate: BigInt(NODE_RATE),
    conditions: { probation: 1, holdback: 2, penalty: 3, commissionBps: 4 },
  })
function activated(): ChainEvent {
  return market('OrderActivated', { time: NOW + 1 })
}
function closed(status: number): ChainEvent {
  return market('OrderClosed', { status, time: NOW + 4, refunded: 9n })
}

type Rows = <Name extends FoldTable>(table: Name, key: string) => FoldRow<Name>

const ordered = () => [registered(), added(3n, NODE), created()]

async function folded(store: Store, events: readonly ChainEvent[]): Promise<Fold> {
  const fold = new Fold()
  await prefetch(store, fold, events)
  for (const one of events) handleEvent(fold, one)
  return fold
}

/** The rows that these events are folded into. */
async function fold(...events: readonly ChainEvent[]): Promise<Rows> {
  const changes = [...(await folded(empty, events)).changes()]
  return <Name extends FoldTable>(table: Name, key: string) => {
    const change = changes.find((one) => one.table === table && one.key === key)
    if (!change) throw new Error(`there is no row ${key} of ${table}`)
    return change.row as FoldRow<Name>
  }
}

const foldOrder = (...events: readonly ChainEvent[]): Promise<Rows> => fold(...ordered(), ...events)

/** The tables that an event writes to where the order is stored already. */
const tablesWritten = async (one: ChainEvent): Promise<FoldTable[]> =>
  [...(await folded(withOrder, [one])).changes()].map(({ table }) => table)

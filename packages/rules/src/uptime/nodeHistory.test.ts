import { describe, expect, it } from 'vitest'
import { type LowerCaseAddress, lowerCaseAddress } from '../address.ts'
import { OrderStatus } from '../order/status.ts'
import { createCalendar, epochRuns, epochsOf, epochsWithin, PRODUCTION_PACE } from './epoch.ts'
import { commissionWeight, type MonitoredOrder, type NodeEvidence, nodeHistory, stripOf } from './nodeHistory.ts'

const PERIOD = 62_334
const calendar = createCalendar(PRODUCTION_PACE)
const START = calendar.startOf(PERIOD)
const DAY = Math.floor(START / 86_400)
const BUYER = lowerCaseAddress('0xb1')
const ALL = (1n << 96n) - 1n
const order: MonitoredOrder = {
  ...{
    id: '1',
    user: BUYER,
    status: OrderStatus.Active,
    activateTime: START - 900,
    closeTime: 0,
    duration: 2_592_000,
    commissionBps: 200,
  },
}
const seen = (observed: bigint, period = PERIOD) => ({ orderId: '1', period, observed })
const historyOf = (change: Partial<NodeEvidence>) =>
  nodeHistory(calendar, {
    orders: [order],
    observed: [seen(ALL), seen(ALL)],
    downtime: [],
    maintenance: [],
    own: [lowerCaseAddress('0xcc')],
    weight: 1,
    ...change,
  })

it('counts the epochs of an order like libraries/Epochs.sol, and merges adjacent ones', () => {
  expect(epochsWithin(calendar, 0, 300, 900)).toBe(0b110n)
  expect(epochsWithin(calendar, 0, 1, 899)).toBe(0b010n)
  expect(epochsWithin(calendar, 0, 0, 1e9)).toBe(ALL)
  expect([epochsWithin(calendar, 1, 0, 100), epochsWithin(calendar, 0, 900, 300)]).toEqual([0n, 0n])
  expect(epochsOf(calendar, 2, 0b101n)).toEqual([192, 194])
  expect(epochRuns([5, 3, 4, 9, 4])).toEqual([
    { first: 3, last: 5 },
    { first: 9, last: 9 },
  ])
})

describe('the history of a node', () => {
  it('contains what two monitors observed while it was sold', () => {
    expect(historyOf({}).days).toEqual([
      { day: DAY, observedSeconds: 28_800, outages: 0, brokenOrders: 0, seenSeconds: 28_800, downSeconds: 0 },
    ])
    expect(historyOf({ observed: [seen(0b0111n), seen(0b1110n), seen(0b1000n)] }).days[0]?.seenSeconds).toBe(900)
    expect(historyOf({ observed: [seen(ALL)] }).days).toEqual([])
    expect(historyOf({ orders: [{ ...order, closeTime: START + 600 }] }).days[0]?.seenSeconds).toBe(600)
  })

  it('counts reports for their own order only', () => {
    const other = { ...order, id: '2' }
    expect(historyOf({ orders: [other] }).days).toEqual([])
    expect(historyOf({ orders: [order, other] }).days[0]?.seenSeconds).toBe(28_800)
  })

  it('sorts its days, whatever the order of the reports', () => {
    const later = PERIOD + 6
    const observed = [seen(ALL, later), seen(ALL, later), seen(ALL), seen(ALL)]
    expect(historyOf({ observed }).days.map(({ day }) => day - DAY)).toEqual([0, 2])
  })

  it('leaves out announced maintenance and downtime within it', () => {
    const first = calendar.firstEpoch(PERIOD)
    const change = { downtime: [{ orderId: '1', period: PERIOD, down: 0b111_1110n }], maintenance: [{ first, last: first + 3 }] }
    const { days, outages } = historyOf(change)
    expect(outages).toEqual([{ first: first + 4, last: first + 6 }])
    expect(days[0]).toMatchObject({ seenSeconds: 92 * 300, observedSeconds: 92 * 300, downSeconds: 900, outages: 1 })
    expect(historyOf({ ...change, maintenance: [{ first, last: first + 95 }] }).days).toEqual([])
  })

  it('weighs orders by their commission, by half without one, and ignores the provider’s own', () => {
    const counted = (change: Partial<NodeEvidence>) => historyOf(change).days[0]?.observedSeconds
    expect(counted({ weight: 0.75 })).toBe(21_600)
    expect(counted({ orders: [{ ...order, commissionBps: 0 }] })).toBe(14_400)
    expect(counted({ own: [BUYER] })).toBe(0)
  })

  it('merges an outage that goes on in the next period, and ignores one of a single epoch', () => {
    const last = 1n << 95n
    const downtime = [
      { orderId: '1', period: PERIOD, down: last },
      { orderId: '1', period: PERIOD + 1, down: 0b1001n },
    ]
    const { days, outages } = historyOf({ downtime })
    expect(outages.map(({ first, last }) => [first - PERIOD * 96, last - PERIOD * 96])).toEqual([
      [95, 96],
      [99, 99],
    ])
    expect(days.map(({ outages: count, downSeconds }) => [count, downSeconds])).toEqual([[1, 900]])
  })

  it('records a dropped order on its day', () => {
    const dropped = { ...order, status: OrderStatus.ProviderCancelled, closeTime: START + 3 * 86_400 }
    expect(historyOf({ orders: [dropped] }).days.map(({ day, brokenOrders }) => [day - DAY, brokenOrders])).toEqual([
      [0, 0],
      [3, 1],
    ])
  })
})

it('weighs the evidence about a provider by the commission paid for it, of which each buyer counts for a half at most', () => {
  const [one, two, three, own] = ['0xb1', '0xb2', '0xb3', '0xcc'].map((address) => lowerCaseAddress(address)) as [
    LowerCaseAddress,
    LowerCaseAddress,
    LowerCaseAddress,
    LowerCaseAddress,
  ]
  const weight = (...paid: [user: LowerCaseAddress, cents: bigint][]) =>
    commissionWeight(
      paid.map(([user, cents]) => ({ user, commission: cents * 10n ** 16n })),
      [own],
    )
  expect(weight()).toBe(0.5)
  expect(weight([one, 250n])).toBe(0.625)
  expect(weight([one, 250n], [one, 150n], [two, 100n])).toBe(0.75)
  // One buyer, however much it pays and in however many orders.
  expect(weight([one, 500n], [one, 100_000n])).toBe(0.75)
  expect(weight([one, 500n], [two, 500n])).toBe(1)
  expect(weight([one, 9_000n], [two, 400n], [three, 300n])).toBe(1)
  expect(weight([own, 100_000n])).toBe(0.5)
  // Two puppets that pay a wei each.
  expect(
    commissionWeight(
      [one, two].map((user) => ({ user, commission: 1n })),
      [own],
    ),
  ).toBeCloseTo(0.5, 12)
})

it('shows ninety days: what was not observed, what was up and what was down', () => {
  const day = (before: number, downSeconds: number, seenSeconds = 86_400) => ({
    ...{ day: DAY - before, observedSeconds: 0, outages: 0, brokenOrders: 0, seenSeconds, downSeconds },
  })
  const strip = stripOf([day(90, 1), day(4, 300, 0), day(3, 0), day(2, 300), day(1, 86_400), day(0, 0, 0)], DAY)
  expect(strip).toBe(`${'-'.repeat(85)}1019-`)
})

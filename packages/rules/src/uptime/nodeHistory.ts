import type { LowerCaseAddress } from '../address.ts'
import { ONE_CREDIT_WEI } from '../money.ts'
import { OrderStatus } from '../order/status.ts'
import { agreedDown, type Calendar, type EpochRun, epochRuns, epochsOf, epochsOfRuns, epochsWithin } from './epoch.ts'
import type { DayRecord } from './reliability.ts'

/** An order that a node was sold for, as the chain has it. Times in unix seconds, 0 for what has not happened. */
export interface MonitoredOrder {
  id: string
  user: LowerCaseAddress
  status: number
  activateTime: number
  closeTime: number
  duration: number
  commissionBps: number
}

/** What one monitor reported of an order in a period, under a root that it revealed. */
export interface ObservedEpochs {
  orderId: string
  period: number
  observed: bigint
}

/** Epochs of a period in which enough monitors saw an order down; final. */
export interface FinalDowntime {
  orderId: string
  period: number
  down: bigint
}

/** All public evidence about one node. */
export interface NodeEvidence {
  orders: readonly MonitoredOrder[]
  observed: readonly ObservedEpochs[]
  downtime: readonly FinalDowntime[]
  /** Epochs of maintenance, announced in time: neither they nor downtime in them count. */
  maintenance: readonly EpochRun[]
  /** The provider and its operator: purchases of their own count for nothing. */
  own: readonly LowerCaseAddress[]
  /** What orders with a commission weigh; see `commissionWeight`. */
  weight: number
}

/** A day of a node: the record that reliability is computed from, and what the 90-day strip shows. */
export interface NodeDay extends DayRecord {
  /** Seconds in which at least two monitors observed the node, whoever had bought it. */
  seenSeconds: number
  /** Seconds of final downtime. */
  downSeconds: number
}

export interface NodeHistory {
  /** Days with evidence, oldest first. */
  days: NodeDay[]
  /** Outages of any length, oldest first; those of at most five minutes do not count against the reliability. */
  outages: EpochRun[]
}

/** An observation takes at least two monitors: a single one may lie. */
const WITNESSES = 2
/** Weight of evidence that cost nothing, because no commission was paid. */
const CHEAP_WEIGHT = 0.5
/** The commission, 10 USD in wei, with which evidence weighs in full, and the most of it that counts of one buyer. */
const FULL_COMMISSION_WEI = 10n * ONE_CREDIT_WEI
const MAX_OF_A_BUYER_WEI = FULL_COMMISSION_WEI / 2n
const DAY_SECONDS = 86_400
/** Outages up to this length are refunded, but do not count against the reliability. */
const SHORT_SECONDS = 300

/**
 * The days of a node from public evidence. An epoch counts if two monitors observed it while the node was sold, by what that cost: from half
 * without a commission, up to in full (see `commissionWeight`), and not at all if the provider bought from itself. Downtime and broken orders always count in
 * full. Announced maintenance counts neither for nor against it.
 */
export function nodeHistory(calendar: Calendar, evidence: NodeEvidence): NodeHistory {
  const { epochSeconds } = calendar
  const announced = epochsOfRuns(evidence.maintenance)
  const days = new Map<number, NodeDay>()
  const at = (seconds: number): NodeDay => {
    const day = Math.floor(seconds / DAY_SECONDS)
    const known = days.get(day) ?? { day, observedSeconds: 0, outages: 0, brokenOrders: 0, seenSeconds: 0, downSeconds: 0 }
    days.set(day, known)
    return known
  }
  for (const order of evidence.orders) {
    const end = order.closeTime > 0 ? order.closeTime : order.activateTime + order.duration
    const reports = Map.groupBy(
      evidence.observed.filter(({ orderId }) => orderId === order.id),
      ({ period }) => period,
    )
    for (const [period, each] of reports) {
      const seen = agreedDown(
        each.map(({ observed }) => observed),
        WITNESSES,
      )
      for (const epoch of epochsOf(calendar, period, seen & epochsWithin(calendar, period, order.activateTime, end))) {
        if (announced.has(epoch)) continue
        const day = at(epoch * epochSeconds)
        day.seenSeconds += epochSeconds
        day.observedSeconds += epochSeconds * weightOf(order, evidence)
      }
    }
    if (order.status === OrderStatus.ProviderCancelled) at(order.closeTime).brokenOrders += 1
  }
  const down = evidence.downtime.flatMap(({ period, down: bits }) => epochsOf(calendar, period, bits))
  const outages = epochRuns(down.filter((epoch) => !announced.has(epoch)))
  for (const { first, last } of outages) {
    if ((last - first + 1) * epochSeconds > SHORT_SECONDS) at(first * epochSeconds).outages += 1
    for (let epoch = first; epoch <= last; epoch += 1) at(epoch * epochSeconds).downSeconds += epochSeconds
  }
  return { days: [...days.values()].sort((a, b) => a.day - b.day), outages }
}

/**
 * What is seen of a provider weighs as much as it cost to have it seen: from 0.5, where no commission was paid, to 1 for 10 USD, of which
 * one buyer counts for 5 at most. Accounts are free, so neither their number nor the number of orders says anything.
 *
 * @param orders all orders of the provider, with the commission paid so far in wei
 * @param own the provider and its operator, whose purchases do not count
 * @example commissionWeight([{ user, commission: 2_500_000_000_000_000_000n }], [provider]) // 0.625
 */
export function commissionWeight(
  orders: readonly { user: LowerCaseAddress; commission: bigint }[],
  own: readonly LowerCaseAddress[],
): number {
  const paid = new Map<LowerCaseAddress, bigint>()
  for (const { user, commission } of orders) if (!own.includes(user)) paid.set(user, (paid.get(user) ?? 0n) + commission)
  let counted = 0n
  for (const wei of paid.values()) counted += wei < MAX_OF_A_BUYER_WEI ? wei : MAX_OF_A_BUYER_WEI
  if (counted >= FULL_COMMISSION_WEI) return 1
  return CHEAP_WEIGHT + (1 - CHEAP_WEIGHT) * (Number(counted) / Number(FULL_COMMISSION_WEI))
}

function weightOf({ user, commissionBps }: MonitoredOrder, { own, weight }: NodeEvidence): number {
  if (own.includes(user)) return 0
  return commissionBps > 0 ? weight : CHEAP_WEIGHT
}

/** Days in a strip. */
export const STRIP_DAYS = 90

/**
 * The last 90 days, one character each, oldest first: `-` was not observed, `0` was up, `1` to `9` were down for that many tenths of the
 * day, rounded up.
 * @example stripOf([], 20_000) // ninety times '-'
 */
export function stripOf(days: readonly NodeDay[], today: number): string {
  const byDay = new Map(days.map((day) => [day.day, day]))
  return Array.from({ length: STRIP_DAYS }, (_, index) => {
    const day = byDay.get(today - STRIP_DAYS + 1 + index)
    if (!day || (day.seenSeconds === 0 && day.downSeconds === 0)) return '-'
    return String(Math.min(9, Math.ceil((day.downSeconds * 10) / DAY_SECONDS)))
  }).join('')
}

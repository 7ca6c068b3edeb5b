import { MONTH_SECONDS } from '../duration.ts'
import { accruedWei } from '../prices/pricing.ts'
import { type Calendar, epochRuns, epochsOf } from '../uptime/epoch.ts'
import { isTerminal } from './status.ts'

/**
 * How a second of an order was spent. `late`: it was down, but found so only after it had been paid for good. `pending`: it waits for a
 * report after a cancel. `free`: the machine was held and nothing is paid for it. `unused`: from the close to the end that was bought.
 */
export type SpanKind = 'paid' | 'down' | 'late' | 'pending' | 'free' | 'unused'

/** Contiguous seconds of one kind. Amounts in wei; unix seconds, `until` exclusive. */
export interface ReceiptSpan {
  kind: SpanKind
  from: number
  until: number
  /** To the provider, before commission. */
  earnedWei: bigint
  /** Refunded to the buyer. */
  backWei: bigint
  /** The transaction that settled, found or closed it; undefined if none has yet. */
  transactionHash: string | undefined
}

/** An order with its money at `asOf`: `earnedWei` includes what is due by then and excludes `pendingWei`. */
export interface ReceiptFacts {
  status: number
  activateTime: number
  duration: number
  closeTime: number
  rate: bigint
  totalValue: bigint
  earnedWei: bigint
  pendingWei: bigint
  /** Seconds of downtime that the Market credited, and the time up to which reports cover the order. */
  down: number
  reportedUntil: number
  asOf: number
  closedBy: string | undefined
  /** The settlements: how far each one paid. */
  settlements: readonly { upTo: number; transactionHash: string }[]
  /** How monitors count time, and their final findings. */
  calendar: Calendar
  findings: readonly { period: number; down: bigint; transactionHash: string }[]
}

interface Segment {
  from: number
  until: number
  kind: SpanKind
  transactionHash?: string
}

/**
 * Every second of an order from its activation on, in exactly one span: up to the end that was bought if it is closed, else up to `asOf`.
 * Earned, pending and refunded amounts of a closed order add up to what was paid. Empty for an order that was never activated.
 */
export function receiptSpans(facts: ReceiptFacts): ReceiptSpan[] {
  const { activateTime, duration, closeTime, rate, down, asOf } = facts
  if (activateTime === 0) return []
  const isClosed = isTerminal(facts.status)
  const end = activateTime + duration
  const servedUntil = Math.max(activateTime, Math.min(end, isClosed ? closeTime : asOf))
  let segments: Segment[] = [{ from: activateTime, until: servedUntil, kind: 'paid' }]
  const mark = (one: Segment) => {
    segments = segments.flatMap((segment) => overlaid(segment, one))
  }

  // Reports only credit time that is not final yet, so the credited seconds are the newest ones found down.
  let credited = down
  for (const { from, until, transactionHash } of downRuns(facts).reverse()) {
    const start = Math.max(from, activateTime)
    const stop = Math.min(until, servedUntil)
    if (start >= stop) continue
    const middle = Math.max(start, stop - credited)
    credited -= stop - middle
    mark({ from: start, until: middle, kind: 'late', transactionHash })
    mark({ from: middle, until: stop, kind: 'down', transactionHash })
  }
  // If the validator is a plain key, the chain knows how much was down, but not when.
  takeLast(segments, credited, Math.min(facts.reportedUntil, servedUntil)).forEach(mark_('down', mark))

  const served = secondsOf(segments, ['paid', 'late'])
  const paidSeconds = secondsFor(facts.earnedWei, rate)
  const pendingSeconds = secondsFor(facts.earnedWei + facts.pendingWei, rate) - paidSeconds
  const free = Math.max(0, served - paidSeconds - pendingSeconds)
  takeLast(segments, free, servedUntil).forEach(mark_('free', mark))
  takeLast(segments, pendingSeconds, servedUntil).forEach(mark_('pending', mark))
  if (isClosed) segments.push({ from: servedUntil, until: end, kind: 'unused' })
  const present = segments.filter(({ from, until }) => from < until)
  return priced(present, facts)
}

const mark_ =
  (kind: SpanKind, mark: (one: Segment) => void) =>
  ({ from, until }: Segment) =>
    mark({ from, until, kind })

/** Runs of final downtime, oldest first, each with the transaction of its newest period. */
function downRuns({ findings, calendar }: ReceiptFacts) {
  const { epochSeconds, periodOf } = calendar
  const hashOf = new Map(findings.map(({ period, transactionHash }) => [period, transactionHash]))
  return epochRuns(findings.flatMap(({ period, down }) => epochsOf(calendar, period, down))).map(({ first, last }) => ({
    ...{ from: first * epochSeconds, until: (last + 1) * epochSeconds },
    transactionHash: hashOf.get(periodOf(last)) ?? '',
  }))
}

/** Some of the parts may be empty. */
function overlaid(segment: Segment, over: Segment): Segment[] {
  const from = Math.max(segment.from, over.from)
  const until = Math.min(segment.until, over.until)
  if (from >= until) return [segment]
  return [
    { ...segment, until: from },
    { ...over, from, until },
    { ...segment, from: until },
  ]
}

/** The last `seconds` of paid time before `limit`. */
function takeLast(segments: readonly Segment[], seconds: number, limit: number): Segment[] {
  const taken: Segment[] = []
  let left = seconds
  for (const { from, until, kind } of segments.toReversed()) {
    const stop = Math.min(until, limit)
    if (kind !== 'paid' || stop <= from) continue
    const start = Math.max(from, stop - left)
    left -= stop - start
    taken.push({ from: start, until: stop, kind })
  }
  return taken
}

const secondsOf = (segments: readonly Segment[], kinds: readonly SpanKind[]) =>
  segments.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { from, until }) => sum + until - from, 0)

/** The fewest whole seconds of service that cost this much. */
function secondsFor(wei: bigint, rate: bigint): number {
  return rate === 0n ? 0 : Number((wei * BigInt(MONTH_SECONDS) + rate - 1n) / rate)
}

const EARNED: readonly SpanKind[] = ['paid', 'late']
const BACK: readonly SpanKind[] = ['down', 'free', 'unused']

/**
 * Prices each segment by the cumulative sum of seconds, so that splitting changes nothing; the last of each kind gets the rounding
 * remainder.
 */
function priced(segments: readonly Segment[], facts: ReceiptFacts): ReceiptSpan[] {
  const { rate, earnedWei, pendingWei, totalValue, status, settlements, closedBy } = facts
  const isClosed = isTerminal(status)
  const lastOf = (kinds: readonly SpanKind[]) => segments.findLast(({ kind }) => kinds.includes(kind))
  const [lastEarned, lastBack] = [lastOf(EARNED), lastOf(BACK)]
  let [earnedSeconds, backSeconds, earnedSoFar, backSoFar] = [0, 0, 0n, 0n]
  return segments.map((segment) => {
    const { from, until, kind } = segment
    let [earned, back] = [0n, 0n]
    if (EARNED.includes(kind)) {
      earnedSeconds += until - from
      earned = (segment === lastEarned ? earnedWei : accruedWei(rate, earnedSeconds)) - earnedSoFar
      earnedSoFar += earned
    }
    if (BACK.includes(kind)) {
      backSeconds += until - from
      const isRest = segment === lastBack && isClosed
      back = (isRest ? totalValue - earnedWei - pendingWei : accruedWei(rate, backSeconds)) - backSoFar
      backSoFar += back
    }
    const settled = kind === 'paid' ? settlements.find(({ upTo }) => upTo >= until)?.transactionHash : segment.transactionHash
    return { kind, from, until, earnedWei: earned, backWei: back, transactionHash: settled ?? (isClosed ? closedBy : undefined) }
  })
}

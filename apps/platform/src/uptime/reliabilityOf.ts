import type { ReliabilityWire } from '@rackfair/protocol/reliability'
import { type NodeDay, type NodeHistory, stripOf } from '@rackfair/rules/uptime/nodeHistory'
import { EVIDENCE_DAYS, evidenceOf } from '@rackfair/rules/uptime/reliability'

/** The figure of one node, or of several together, as of a day; undefined if there is no evidence on any. */
export function reliabilityOf(histories: readonly NodeHistory[], day: number): ReliabilityWire | undefined {
  const days = histories.flatMap((history) => history.days).filter((one) => one.day <= day && day - one.day <= EVIDENCE_DAYS)
  const sum = (value: (one: NodeDay) => number) => days.reduce((total, one) => total + value(one), 0)
  const [outages, brokenOrders] = [sum((one) => one.outages), sum((one) => one.brokenOrders)]
  const seconds = sum((one) => one.seenSeconds)
  if (seconds === 0 && brokenOrders === 0 && sum((one) => one.downSeconds) === 0) return undefined
  const { failures, observedDays } = evidenceOf(days, day)
  return {
    ...{ failures: rounded(failures), observedDays: rounded(observedDays) },
    ...{ seenDays: rounded(seconds / 86_400), countedDays: rounded(sum((one) => one.observedSeconds) / 86_400) },
    ...{ outages, brokenOrders, strip: stripOf(merged(days), day), day },
  }
}

const rounded = (value: number) => Math.round(value * 1e6) / 1e6

/** Merges the days of several nodes, showing the worst of them. */
function merged(days: readonly NodeDay[]): NodeDay[] {
  const byDay = new Map<number, NodeDay>()
  for (const one of days) {
    const known = byDay.get(one.day)
    const seenSeconds = Math.max(one.seenSeconds, known?.seenSeconds ?? 0)
    const downSeconds = Math.max(one.downSeconds, known?.downSeconds ?? 0)
    byDay.set(one.day, { ...one, seenSeconds, downSeconds })
  }
  return [...byDay.values()]
}

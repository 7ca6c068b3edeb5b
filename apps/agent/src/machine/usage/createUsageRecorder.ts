import type { UsagePoint } from '@rackfair/protocol/workspaceAnswers'
import type { Log } from '../../foundation/log.ts'
import { reasonOf } from '../../foundation/reasonOf.ts'
import { singleFlight } from '../../foundation/singleFlight.ts'
import type { Measurement, UsageMeter } from './createUsageMeter.ts'
import { RECORD_SECONDS, type UsageRing } from './usageRing.ts'

/** Writes down what every running order uses. Of an agent that was away the records of that time are missing. */
export function createUsageRecorder(options: {
  meter: UsageMeter
  ring: UsageRing
  orders: () => bigint[]
  /** Told what each order used, once all have been looked at. */
  onRecorded?: (points: ReadonlyMap<bigint, UsagePoint>) => void
  log: Log
}) {
  const { meter, ring, log } = options
  const last = new Map<bigint, Measurement>()
  let hasFailed = false

  const record = singleFlight(async () => {
    const orders = options.orders()
    const points = new Map<bigint, UsagePoint>()
    for (const orderId of [...last.keys()]) if (!orders.includes(orderId)) last.delete(orderId)
    for (const orderId of orders) {
      const before = last.get(orderId)
      const after = await meter.measure(orderId)
      if (after) last.set(orderId, after)
      else last.delete(orderId)
      const point = before && after && meter.between(before, after)
      if (!point) continue
      ring.write(orderId, point)
      points.set(orderId, point)
    }
    options.onRecorded?.(points)
    hasFailed = false
  })
  const tick = () =>
    record().catch((error: unknown) => {
      if (!hasFailed) log.warn('the usage of the orders cannot be recorded', { reason: reasonOf(error) })
      hasFailed = true
    })
  const timer = setInterval(tick, RECORD_SECONDS * 1000)
  timer.unref()

  return { record, stop: () => clearInterval(timer) }
}

import type { OrderWire } from '@rackfair/protocol/orders'
import { START_SECONDS } from '@rackfair/rules/duration'
import { isTerminal } from '@rackfair/rules/order/status'
import type { Calendar } from '@rackfair/rules/uptime/epoch'
import type { Database } from '../store/openStore.ts'
import type { OrderTable } from '../store/tables.ts'

type Announced = NonNullable<OrderWire['maintenance']>

const MAX_OF_ORDER = 8
/** For all orders of one answer. */
const MAX_READ = 10_000

/**
 * Announced maintenance that is not over, of these orders' machines within the time of each order, the next first. By order id; orders
 * without any are omitted.
 */
export async function maintenanceOfOrders(
  db: Database,
  { epochSeconds }: Calendar,
  orders: readonly OrderTable[],
  now: number,
): Promise<ReadonlyMap<string, Announced>> {
  const live = orders.filter(({ status }) => !isTerminal(status))
  if (live.length === 0) return new Map()
  const rows = await db
    .selectFrom('maintenance')
    .select(['provider', 'nodeId', 'firstEpoch', 'epochs'])
    .where('provider', 'in', [...new Set(live.map(({ provider }) => provider))])
    .where('times', '>', 0)
    .where(({ eb }) => eb(eb('firstEpoch', '+', eb.ref('epochs')), '>', Math.floor(now / epochSeconds)))
    .orderBy('firstEpoch')
    .limit(MAX_READ)
    .execute()
  const ofNode = Map.groupBy(rows, ({ provider, nodeId }) => `${provider}|${nodeId}`)
  const found = new Map<string, Announced>()
  for (const { id, provider, nodeId, createTime, activateTime, duration } of live) {
    const end = (activateTime || createTime + START_SECONDS) + duration
    const announced = (ofNode.get(`${provider}|${nodeId}`) ?? [])
      .map(({ firstEpoch, epochs }) => ({ from: firstEpoch * epochSeconds, until: (firstEpoch + epochs) * epochSeconds }))
      .filter(({ from, until }) => from < end && until > activateTime)
    if (announced.length > 0) found.set(String(id), announced.slice(0, MAX_OF_ORDER))
  }
  return found
}

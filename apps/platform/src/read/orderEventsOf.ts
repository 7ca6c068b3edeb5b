import type { OrderEventWire } from '@rackfair/protocol/orders'
import type { Database } from '../store/openStore.ts'

const MAX_EVENTS = 10_000
const MONEY = [
  'OrderCreated',
  'OrderExtended',
  'OrderSettled',
  'OrderClosed',
  'PendingSettled',
  'BuyerCompensated',
  'DowntimeCompensated',
]

/**
 * The chain events of an order, oldest first. Its parties can cause any number of some: of more than an answer holds, those that move money
 * come before others, and newer ones before older ones.
 */
export async function orderEventsOf(db: Database, orderId: bigint): Promise<OrderEventWire[]> {
  const rows = await db
    .selectFrom('orderEvent')
    .selectAll()
    .where('orderId', '=', orderId)
    .orderBy(({ eb }) => eb.case().when('name', 'in', MONEY).then(0).else(1).end())
    .orderBy('block', 'desc')
    .orderBy('logIndex', 'desc')
    .limit(MAX_EVENTS)
    .execute()
  rows.sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
  return rows.map(({ orderId: _, args, ...event }) => ({ ...event, args: JSON.parse(args) as OrderEventWire['args'] }))
}

import { z } from '@hono/zod-openapi'
import type { OrderWire } from '@rackfair/protocol/orders'
import { idString } from '@rackfair/protocol/scalars'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { OrderStatus } from '@rackfair/rules/order/status'
import { buyersOf } from '../../read/buyersOf.ts'
import { orderWireOf } from '../../read/orderWireOf.ts'
import type { OrderTable } from '../../store/tables.ts'
import { maintenanceOfOrders } from '../../uptime/maintenanceOfOrders.ts'
import type { AppContext } from '../AppContext.ts'
import type { Built } from '../ResponseCache.ts'
import { readQuery } from '../readQuery.ts'

const MAX_ORDERS = 1_000

/** `before` is the last order id of the previous page; the header X-Rackfair-Next carries it while there is more. */
export const orderListQuery = readQuery.extend({
  before: idString.optional(),
  limit: z.coerce.number().int().min(1).max(MAX_ORDERS).optional(),
})

/** Orders of one party, newest first, as an array. Those of a user's purse are the user's. */
export async function listOrders(
  context: AppContext,
  party: 'user' | 'provider',
  address: LowerCaseAddress,
  query: z.output<typeof orderListQuery>,
): Promise<Built> {
  const limit = query.limit ?? MAX_ORDERS
  let search = context.db
    .selectFrom('order')
    .selectAll()
    .where(party, 'in', party === 'user' ? buyersOf(context.settings.deployment, address) : [address])
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (query.before !== undefined && BigInt(query.before) < 2n ** 63n) search = search.where('id', '<', BigInt(query.before))
  const rows = await search.execute()
  const page = rows.slice(0, limit)
  const now = Math.floor(Date.now() / 1000)
  const last = page.at(-1)
  const headers: Record<string, string> = last && rows.length > limit ? { 'x-rackfair-next': String(last.id) } : {}
  return { value: await wiresOf(context, page, now), until: nextExpiry(page, now), headers }
}

/** Orders with the announced maintenance of their machines. */
export async function wiresOf(context: AppContext, rows: readonly OrderTable[], now: number): Promise<OrderWire[]> {
  const { db, reliability, feed } = context
  const announced = await maintenanceOfOrders(db, reliability.calendar, rows, feed.position.blockTime)
  return rows.map((row) => {
    const maintenance = announced.get(String(row.id))
    return { ...wireOf(context, row, now), ...(maintenance && { maintenance }) }
  })
}

export function wireOf(context: AppContext, row: OrderTable, now: number) {
  const { nodeIndex, feed } = context
  const node = nodeIndex.node(row.provider, row.nodeId)
  const provider = nodeIndex.providerRow(row.provider)
  const providerName = nodeIndex.displayName(row.provider)
  return orderWireOf(row, { node, provider, providerName, now, block: Math.max(0, feed.position.block) })
}

/** When the first of these orders will be shown as expired. */
export function nextExpiry(rows: readonly OrderTable[], now: number): number {
  const ends = rows.filter((row) => row.status === OrderStatus.Active).map((row) => row.activateTime + row.duration)
  return Math.min(...ends.filter((end) => end > now), Number.POSITIVE_INFINITY)
}

import { z } from '@hono/zod-openapi'
import { orderEventsAnswer, receiptShape } from '@rackfair/protocol/orders'
import { idString } from '@rackfair/protocol/scalars'
import { isTerminal } from '@rackfair/rules/order/status'
import { orderEventsOf } from '../../read/orderEventsOf.ts'
import { receiptCsv } from '../../read/receiptCsv.ts'
import { receiptOf } from '../../read/receiptOf.ts'
import { receiptSpansOf } from '../../read/receiptSpansOf.ts'
import type { AppContext } from '../AppContext.ts'
import { type App, defineRoute } from '../defineRoute.ts'
import { readQuery } from '../readQuery.ts'
import { respond } from '../respond.ts'
import { nextExpiry, wireOf } from './listOrders.ts'
import { orderRow } from './orderRow.ts'

const tag = 'orders'
const params = z.object({ id: idString })
/** Maximum age of the receipt of a running order, which lists every second. */
const FRESH_SECONDS = 5

/** The events of an order, and the cost of each of its seconds. */
export function receiptRoutes(app: App, context: AppContext): void {
  const { db, feed } = context
  const block = () => Math.max(0, feed.position.block)
  const now = () => Math.floor(Date.now() / 1000)

  const receipt = async (id: string) => {
    const row = await orderRow(db, id)
    // A test chain may be ahead of the clock.
    const asOf = Math.max(now(), feed.position.blockTime)
    const [order, events] = [wireOf(context, row, asOf), await orderEventsOf(db, BigInt(id))]
    const spans = await receiptSpansOf(db, context.reliability.calendar, order, events, asOf)
    const until = Math.min(nextExpiry([row], now()), isTerminal(row.status) ? Number.POSITIVE_INFINITY : now() + FRESH_SECONDS)
    return { value: receiptOf(order, events, { commission: row.commission, spans, asOf, block: block() }), until }
  }

  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/orders/{id}/events',
      id: 'listOrderEvents',
      summary: 'The chain events of an order',
      tag,
      params,
      query: readQuery,
      answer: orderEventsAnswer,
    },
    (call, { params: { id } }) =>
      respond(call, context, ['order'], async () => {
        await orderRow(db, id)
        return { value: { events: await orderEventsOf(db, BigInt(id)), block: block() } }
      }),
  )

  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/orders/{id}/receipt',
      id: 'getReceipt',
      summary: 'Every second and every wei of an order',
      tag,
      params,
      query: readQuery,
      answer: receiptShape,
    },
    (call, { params: { id } }) => respond(call, context, ['order', 'market', 'presence'], () => receipt(id)),
  )

  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/orders/{id}/receipt.csv',
      id: 'getReceiptCsv',
      summary: 'The receipt as a table',
      tag,
      params,
      query: readQuery,
      answer: 'text/csv',
    },
    (call, { params: { id } }) =>
      respond(call, context, ['order', 'market', 'presence'], async () => {
        const { value, until } = await receipt(id)
        const headers = {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="order-${id}.csv"`,
        }
        return { value: Buffer.from(receiptCsv(value)), until, headers }
      }),
  )
}

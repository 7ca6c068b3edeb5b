import { z } from '@hono/zod-openapi'
import { AppError, isTerminal, orderFeeWei } from '@rackfair/core'
import {
  addressString,
  deploymentWire,
  feeAnswer,
  feeRequest,
  idString,
  type OrderEventWire,
  orderEventsAnswer,
  orderList,
  orderWire,
  receiptWire,
} from '@rackfair/core/wire'
import { receiptCsv } from '../../read/receiptCsv.ts'
import { receiptOf } from '../../read/receiptOf.ts'
import { receiptSpansOf } from '../../read/receiptSpansOf.ts'
import type { AppContext } from '../AppContext.ts'
import { type App, type Call, defineRoute } from '../defineRoute.ts'
import { notFound } from '../notFound.ts'
import { readQuery } from '../readQuery.ts'
import { respond } from '../respond.ts'
import { listOrders, nextExpiry, orderListQuery, wireOf, wiresOf } from './listOrders.ts'

const tag = 'orders'
const params = z.object({ id: idString })
const MAX_EVENTS = 10_000
/** How old the receipt of an order that runs may be: it names every second. */
const FRESH_SECONDS = 5

export function orderRoutes(app: App, context: AppContext): void {
  const { db, feed, deployments, nodeIndex } = context
  const block = () => Math.max(0, feed.position.block)
  const now = () => Math.floor(Date.now() / 1000)

  const orderRow = async (id: string) => {
    const known = BigInt(id) < 2n ** 63n
    const row = known ? await db.selectFrom('order').selectAll().where('id', '=', BigInt(id)).executeTakeFirst() : undefined
    return row ?? notFound(`order ${id}`)
  }
  const eventsOf = async (id: string): Promise<OrderEventWire[]> => {
    const rows = await db
      .selectFrom('orderEvent')
      .selectAll()
      .where('orderId', '=', BigInt(id))
      .orderBy('block')
      .orderBy('logIndex')
      .limit(MAX_EVENTS)
      .execute()
    return rows.map(({ orderId: _, args, ...event }) => ({ ...event, args: JSON.parse(args) as OrderEventWire['args'] }))
  }
  const receipt = async (id: string) => {
    const row = await orderRow(id)
    // A chain of tests may be ahead of the clock.
    const asOf = Math.max(now(), feed.position.blockTime)
    const [order, events] = [wireOf(context, row, asOf), await eventsOf(id)]
    const spans = await receiptSpansOf(db, context.reliability.calendar, order, events, asOf)
    const until = Math.min(nextExpiry([row], now()), isTerminal(row.status) ? Number.POSITIVE_INFINITY : now() + FRESH_SECONDS)
    return { value: receiptOf(order, events, { spans, asOf, block: block() }), until }
  }

  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/user/{address}/order/list',
      id: 'listUserOrders',
      summary: 'Orders of a user, newest first',
      tag,
      params: z.object({ address: addressString }),
      query: orderListQuery,
      answer: orderList,
    },
    (call, { params: { address }, query }) =>
      respond(call, context, ['order', 'market', 'presence'], () => listOrders(context, 'user', address.toLowerCase(), query)),
  )

  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/orders/{id}',
      id: 'getOrder',
      summary: 'One order',
      tag,
      params,
      query: readQuery,
      answer: orderWire,
    },
    (call, { params: { id } }) =>
      respond(call, context, ['order', 'market', 'presence'], async () => {
        const row = await orderRow(id)
        const [order] = await wiresOf(context, [row], now())
        return { value: order, until: nextExpiry([row], now()) }
      }),
  )

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
        await orderRow(id)
        return { value: { events: await eventsOf(id), block: block() } }
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
      answer: receiptWire,
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
    async (call: Call, { params: { id } }) => {
      const { value } = await receipt(id)
      return call.body(receiptCsv(value), 200, {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="order-${id}.csv"`,
        'cache-control': 'no-cache',
        'x-rackfair-block': String(block()),
      })
    },
  )

  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/orders/{id}/deployment',
      id: 'getOrderDeployment',
      summary: 'The latest deployment of an order',
      tag,
      params,
      query: readQuery,
      answer: deploymentWire,
    },
    (call, { params: { id } }) =>
      respond(call, context, ['deployment'], async () => ({
        value: (await deployments.latestOf(id)) ?? notFound(`a deployment of order ${id}`),
      })),
  )

  defineRoute(
    app,
    {
      method: 'post',
      path: '/v1/order/fee',
      id: 'quoteFee',
      summary: 'What a node costs for a duration in seconds',
      tag,
      query: readQuery,
      body: feeRequest,
      answer: feeAnswer,
    },
    async (call, { body, query }) => {
      if (query.minBlock !== undefined) await feed.reached(query.minBlock, 5_000)
      const node = nodeIndex.node(body.provider.toLowerCase(), body.node_id)
      if (!node) throw new AppError('not_found', 'there is no such node', { facts: { status: 404 } })
      const fee = orderFeeWei(BigInt(node.ratePerMonth), body.duration)
      call.header('x-rackfair-block', String(block()))
      return call.json({ fee: String(fee), rev: node.rev, ratePerMonth: node.ratePerMonth, block: block() })
    },
  )
}

import { z } from '@hono/zod-openapi'
import { deploymentShape } from '@rackfair/protocol/deployments'
import { feeRequest } from '@rackfair/protocol/orderRequests'
import { feeAnswer, orderList, orderShape } from '@rackfair/protocol/orders'
import { idString } from '@rackfair/protocol/scalars'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { MIN_ORDER_SECONDS } from '@rackfair/rules/duration'
import { AppError } from '@rackfair/rules/errors/AppError'
import { orderFeeWei } from '@rackfair/rules/prices/pricing'
import type { AppContext } from '../AppContext.ts'
import { addressParam } from '../addressParam.ts'
import { type App, defineRoute } from '../defineRoute.ts'
import { notFound } from '../notFound.ts'
import { readQuery } from '../readQuery.ts'
import { respond } from '../respond.ts'
import { listOrders, nextExpiry, orderListQuery, wiresOf } from './listOrders.ts'
import { orderRow } from './orderRow.ts'

const tag = 'orders'
const params = z.object({ id: idString })

export function orderRoutes(app: App, context: AppContext): void {
  readRoutes(app, context)
  feeRoute(app, context)
}

function readRoutes(app: App, context: AppContext): void {
  const { db, deployments } = context
  const now = () => Math.floor(Date.now() / 1000)

  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/user/{address}/order/list',
      id: 'listUserOrders',
      summary: 'Orders of a user and of its purse, newest first',
      tag,
      params: z.object({ address: addressParam }),
      query: orderListQuery,
      answer: orderList,
    },
    (call, { params: { address }, query }) =>
      respond(call, context, ['order', 'market', 'presence'], () => listOrders(context, 'user', address, query)),
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
      answer: orderShape,
    },
    (call, { params: { id } }) =>
      respond(call, context, ['order', 'market', 'presence'], async () => {
        const row = await orderRow(db, id)
        const [order] = await wiresOf(context, [row], now())
        return { value: order, until: nextExpiry([row], now()) }
      }),
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
      answer: deploymentShape,
    },
    (call, { params: { id } }) =>
      respond(call, context, ['deployment'], async () => ({
        value: (await deployments.latestOf(id)) ?? notFound(`a deployment of order ${id}`),
      })),
  )
}

function feeRoute(app: App, context: AppContext): void {
  const { feed, nodeIndex } = context
  const block = () => Math.max(0, feed.position.block)
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
      const node = nodeIndex.node(lowerCaseAddress(body.provider), body.node_id)
      if (!node) throw new AppError('not_found', 'there is no such node', { facts: { status: 404 } })
      const { minTerm = MIN_ORDER_SECONDS } = node
      if (body.duration < minTerm)
        throw new AppError('bad_request', `duration: the node is sold for at least ${minTerm} seconds`, {
          facts: { field: 'duration', status: 400 },
        })
      const fee = orderFeeWei(BigInt(node.ratePerMonth), body.duration)
      call.header('x-rackfair-block', String(block()))
      return call.json({ fee: String(fee), rev: node.rev, ratePerMonth: node.ratePerMonth, block: block() })
    },
  )
}

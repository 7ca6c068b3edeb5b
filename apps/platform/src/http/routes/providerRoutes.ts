import { z } from '@hono/zod-openapi'
import { earningsAnswer } from '@rackfair/protocol/earnings'
import { orderList } from '@rackfair/protocol/orders'
import { pledgeHistoryAnswer } from '@rackfair/protocol/pledge'
import { providerList, providerShape } from '@rackfair/protocol/providers'
import { AppError } from '@rackfair/rules/errors/AppError'
import { pledgeHistoryOf } from '../../read/pledgeHistoryOf.ts'
import type { AppContext } from '../AppContext.ts'
import { addressParam } from '../addressParam.ts'
import { type App, defineRoute } from '../defineRoute.ts'
import { notFound } from '../notFound.ts'
import { readQuery } from '../readQuery.ts'
import { respond } from '../respond.ts'
import { listOrders, orderListQuery } from './listOrders.ts'

const MAX_PROVIDERS = 1_000
const params = z.object({ address: addressParam })

const tag = 'providers'

export function providerRoutes(app: App, context: AppContext): void {
  profileRoutes(app, context)
  bookRoutes(app, context)
}

/** Who sells. */
function profileRoutes(app: App, context: AppContext): void {
  const { nodeIndex, feed } = context
  const place = z.coerce.number().int().min(0).max(1_000_000_000)

  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/cp/list/{from}/{to}',
      id: 'listProviders',
      summary: 'Providers in the order of their registration, at most 1000',
      tag,
      params: z.object({ from: place, to: place }),
      query: readQuery,
      answer: providerList,
    },
    (call, { params: { from, to } }) => {
      if (to < from || to - from > MAX_PROVIDERS) {
        throw new AppError('bad_request', `a page is 0 to ${MAX_PROVIDERS} providers`)
      }
      return respond(call, context, ['market', 'presence'], () => ({
        value: nodeIndex.providersBetween(from, to, feed.position),
      }))
    },
  )

  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/cp/{address}',
      id: 'getProvider',
      summary: 'One provider with its nodes',
      tag,
      params,
      query: readQuery,
      answer: providerShape,
    },
    (call, { params: { address } }) =>
      respond(call, context, ['market', 'presence'], () => ({
        value: nodeIndex.provider(address, feed.position) ?? notFound(`provider ${address}`),
      })),
  )
}

/** What a provider sold, earned and pledged. */
function bookRoutes(app: App, context: AppContext): void {
  const { nodeIndex, db, feed } = context
  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/cp/{address}/order/list',
      id: 'listProviderOrders',
      summary: 'Orders of a provider, newest first',
      tag,
      params,
      query: orderListQuery,
      answer: orderList,
    },
    (call, { params: { address }, query }) =>
      respond(call, context, ['order', 'market', 'presence'], () => listOrders(context, 'provider', address, query)),
  )

  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/cp/{address}/earnings',
      id: 'getEarnings',
      summary: 'What a provider earned by day and node',
      tag,
      params,
      query: readQuery,
      answer: earningsAnswer,
    },
    (call, { params: { address } }) =>
      respond(call, context, ['order', 'market'], async () => {
        const rows = await db
          .selectFrom('earning')
          .selectAll()
          .where('cp', '=', address)
          .orderBy('day', 'desc')
          .orderBy('nodeId', 'desc')
          .limit(5_000)
          .execute()
        const days = rows.reverse().map(({ day, nodeId, gross, commission }) => ({ day, nodeId, gross, commission }))
        const withdrawn = nodeIndex.providerRow(address)?.withdrawn ?? '0'
        return { value: { days, withdrawn, block: Math.max(0, feed.position.block) } }
      }),
  )

  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/cp/{address}/pledge',
      id: 'getPledgeHistory',
      summary: 'The pledge of an account and its interest over time',
      tag,
      params,
      query: readQuery,
      answer: pledgeHistoryAnswer,
    },
    (call, { params: { address } }) =>
      respond(call, context, ['block'], async () => ({
        value: { ...(await pledgeHistoryOf(db, address)), block: Math.max(0, feed.position.block) },
      })),
  )
}

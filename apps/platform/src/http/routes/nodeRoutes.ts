import { z } from '@hono/zod-openapi'
import { nodeSearchQuery } from '@rackfair/protocol/nodeQuery'
import { nodeOfferShape, nodeSearchAnswer, pricesAnswer, rackAnswer } from '@rackfair/protocol/nodes'
import { AppError } from '@rackfair/rules/errors/AppError'
import { modelPrices } from '../../read/modelPrices.ts'
import { rackOf } from '../../read/rackOf.ts'
import { BadCursor, searchNodes } from '../../read/searchNodes.ts'
import { wishedQuery } from '../../read/wishedQuery.ts'
import type { AppContext } from '../AppContext.ts'
import { addressParam } from '../addressParam.ts'
import { type App, defineRoute } from '../defineRoute.ts'
import { notFound } from '../notFound.ts'
import { minBlock, readQuery } from '../readQuery.ts'
import { respond } from '../respond.ts'

export function nodeRoutes(app: App, context: AppContext): void {
  const { nodeIndex, feed, presets } = context
  const block = () => Math.max(0, feed.position.block)
  const tag = 'nodes'
  const topics = ['market', 'presence'] as const

  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/nodes',
      id: 'searchNodes',
      summary: 'Search nodes',
      tag,
      query: nodeSearchQuery.extend({ minBlock }),
      answer: nodeSearchAnswer,
    },
    (call, { query }) =>
      respond(call, context, topics, () => {
        try {
          const { runs } = wishedQuery(query).query
          const app = runs && presets.find(({ name }) => name === runs)
          if (query.runs && !app) throw new AppError('bad_request', `no application ${query.runs} in this catalogue`)
          return { value: { ...searchNodes(nodeIndex.index(), query, app || undefined), block: block() } }
        } catch (error) {
          if (error instanceof BadCursor) throw new AppError('bad_request', error.message)
          throw error
        }
      }),
  )

  const params = z.object({ cp: addressParam, id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) })
  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/nodes/{cp}/{id}',
      id: 'getNode',
      summary: 'One node',
      tag,
      params,
      query: readQuery,
      answer: nodeOfferShape,
    },
    (call, { params: { cp, id } }) =>
      respond(call, context, topics, () => {
        const entry = nodeIndex.entry(cp, id) ?? notFound(`node ${id} of ${cp}`)
        return { value: { ...entry.node, ...nodeIndex.index().unitRatesOf(entry) } }
      }),
  )

  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/rack',
      id: 'getRack',
      summary: 'Every node in one short row',
      tag,
      query: readQuery,
      answer: rackAnswer,
    },
    (call) =>
      respond(call, context, topics, () => {
        const index = nodeIndex.index()
        return { value: { slots: rackOf(index), total: index.nodes.length, block: block(), blockTime: feed.position.blockTime } }
      }),
  )

  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/prices',
      id: 'getPrices',
      summary: 'Median price of every model',
      tag,
      query: readQuery,
      answer: pricesAnswer,
    },
    (call) => respond(call, context, topics, () => ({ value: { models: modelPrices(nodeIndex.index().nodes), block: block() } })),
  )
}

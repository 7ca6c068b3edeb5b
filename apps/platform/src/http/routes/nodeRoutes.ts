import { z } from '@hono/zod-openapi'
import { nodeSearchQuery } from '@rackfair/protocol/nodeQuery'
import { nodeOfferShape, nodeSearchAnswer, pricesAnswer, rackAnswer } from '@rackfair/protocol/nodes'
import { AppError } from '@rackfair/rules/errors/AppError'
import { modelPrices } from '../../read/modelPrices.ts'
import { rackOf } from '../../read/rackOf.ts'
import { runnable } from '../../read/runnable.ts'
import { BadCursor, searchNodes } from '../../read/searchNodes.ts'
import { wishedQuery } from '../../read/wishedQuery.ts'
import type { AppContext } from '../AppContext.ts'
import { addressParam } from '../addressParam.ts'
import { type App, defineRoute } from '../defineRoute.ts'
import { notFound } from '../notFound.ts'
import { minBlock, readQuery } from '../readQuery.ts'
import { respond } from '../respond.ts'

const tag = 'nodes'
const topics = ['market', 'presence'] as const
const blockOf = ({ feed }: AppContext) => Math.max(0, feed.position.block)

export function nodeRoutes(app: App, context: AppContext): void {
  searchRoute(app, context)
  nodeRoute(app, context)
  overviewRoutes(app, context)
}

function searchRoute(app: App, context: AppContext): void {
  const { nodeIndex, presets } = context

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
          return { value: { ...searchNodes(nodeIndex.index(), query, app || undefined), block: blockOf(context) } }
        } catch (error) {
          if (error instanceof BadCursor) throw new AppError('bad_request', error.message)
          throw error
        }
      }),
  )
}

function nodeRoute(app: App, context: AppContext): void {
  const { nodeIndex } = context
  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/nodes/{cp}/{id}',
      id: 'getNode',
      summary: 'One node',
      tag,
      params: z.object({ cp: addressParam, id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }),
      query: readQuery,
      answer: nodeOfferShape,
    },
    (call, { params: { cp, id } }) =>
      respond(call, context, topics, () => {
        const entry = nodeIndex.entry(cp, id) ?? notFound(`node ${id} of ${cp}`)
        return { value: { ...entry.node, ...nodeIndex.index().unitRatesOf(entry) } }
      }),
  )
}

/** The whole market at once. */
function overviewRoutes(app: App, context: AppContext): void {
  const { nodeIndex, feed, presets } = context
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
        return {
          value: {
            ...{ slots: rackOf(index), total: index.nodes.length, runs: runnable(index, presets) },
            ...{ block: blockOf(context), blockTime: feed.position.blockTime },
          },
        }
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
    (call) =>
      respond(call, context, topics, () => ({
        value: { models: modelPrices(nodeIndex.index().nodes), block: blockOf(context) },
      })),
  )
}

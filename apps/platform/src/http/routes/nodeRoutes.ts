import { z } from '@hono/zod-openapi'
import { AppError } from '@rackfair/core'
import { addressString, nodeListItem, nodeSearchAnswer, nodeSearchQuery, pricesAnswer, rackAnswer } from '@rackfair/core/wire'
import { modelPrices } from '../../read/modelPrices.ts'
import { rackOf } from '../../read/rackOf.ts'
import { BadCursor, searchNodes } from '../../read/searchNodes.ts'
import { type App, defineRoute } from '../defineRoute.ts'
import { notFound } from '../notFound.ts'
import type { Parts } from '../Parts.ts'
import { minBlock, readQuery } from '../readQuery.ts'
import { respond } from '../respond.ts'

export function nodeRoutes(app: App, parts: Parts): void {
  const { catalogue, feed, presets } = parts
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
      respond(call, parts, topics, () => {
        try {
          const app = query.runs && presets.find(({ name }) => name === query.runs)
          if (query.runs && !app) throw new AppError('bad_request', `no application ${query.runs} in this catalogue`)
          return { value: { ...searchNodes(catalogue.index(), query, app || undefined), block: block() } }
        } catch (error) {
          if (error instanceof BadCursor) throw new AppError('bad_request', error.message)
          throw error
        }
      }),
  )

  const params = z.object({ cp: addressString, id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) })
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
      answer: nodeListItem,
    },
    (call, { params: { cp, id } }) =>
      respond(call, parts, topics, () => {
        const entry = catalogue.entry(cp.toLowerCase(), id) ?? notFound(`node ${id} of ${cp}`)
        return { value: { ...entry.node, ...catalogue.index().unitRatesOf(entry) } }
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
      respond(call, parts, topics, () => {
        const index = catalogue.index()
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
    (call) => respond(call, parts, topics, () => ({ value: { models: modelPrices(catalogue.index().nodes), block: block() } })),
  )
}

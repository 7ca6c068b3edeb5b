import { z } from '@hono/zod-openapi'
import { configAnswer } from '@rackfair/protocol/config'
import { globalAnswer, SERIES_RANGES, seriesAnswer } from '@rackfair/protocol/network'
import { presetList } from '@rackfair/protocol/presets'
import { MARKET_CHAINS, type MarketChainId } from '@rackfair/rules/chains'
import { seriesOf } from '../../read/seriesOf.ts'
import type { AppContext } from '../AppContext.ts'
import { type App, type Call, defineRoute } from '../defineRoute.ts'
import { minBlock, readQuery } from '../readQuery.ts'
import { respond } from '../respond.ts'

export const VERSION = '0.1.0'

export function networkRoutes(app: App, context: AppContext): void {
  const { settings, feed, db, nodeIndex, deployments, presets } = context
  const tag = 'network'

  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/config',
      id: 'getConfig',
      summary: 'What a client needs to know of this installation',
      tag,
      query: readQuery,
      answer: configAnswer,
    },
    (call) =>
      respond(call, context, [], () => ({
        value: {
          chainId: settings.deployment.chainId,
          chainName: MARKET_CHAINS[settings.deployment.chainId as MarketChainId].name,
          rpcUrl: settings.publicRpcUrl,
          access: settings.deployment.access,
          ...(settings.deployment.purseFactory && { purseFactory: settings.deployment.purseFactory }),
          faucet: context.faucet !== undefined,
          ...settings.site,
          version: VERSION,
        },
      })),
  )

  const globalRead = (call: Call) =>
    respond(call, context, ['market', 'presence', 'deployment'], async () => {
      const row = await db.selectFrom('globalStat').selectAll().where('id', '=', 1).executeTakeFirst()
      const { id: _, ...totals } = row ?? { id: 1 }
      const nodeOnline = nodeIndex.index().nodes.filter((node) => node.online).length
      return {
        value: {
          global: { ...NO_TOTALS, ...totals, nodeOnline, medianDeployMs: await deployments.medianMs() },
          block: Math.max(0, feed.position.block),
          blockTime: feed.position.blockTime,
        },
      }
    })
  const summary = 'Totals of the network'
  defineRoute(
    app,
    { method: 'get', path: '/v1/global/', id: 'getGlobal', summary, tag, query: readQuery, answer: globalAnswer },
    globalRead,
  )
  app.get('/v1/global', globalRead)

  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/stats/series',
      id: 'getSeries',
      summary: 'Totals over time',
      tag,
      query: z.object({ range: z.enum(SERIES_RANGES), minBlock }),
      answer: seriesAnswer,
    },
    (call, { query: { range } }) =>
      respond(call, context, ['block'], async () => ({ value: await seriesOf(db, range, feed.position) })),
  )

  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/presets',
      id: 'listPresets',
      summary: 'The catalogue of applications',
      tag,
      query: readQuery,
      answer: presetList,
    },
    (call) => respond(call, context, [], () => ({ value: presets })),
  )
}

const NO_TOTALS = {
  cpNumber: 0,
  nodeGlobal: 0,
  nodeUsed: 0,
  memGlobal: 0,
  memUsed: 0,
  diskGlobal: 0,
  diskUsed: 0,
  cpuGlobal: 0,
  cpuUsed: 0,
  gpuGlobal: 0,
  gpuUsed: 0,
}

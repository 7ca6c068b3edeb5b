import { z } from '@hono/zod-openapi'
import { reachAnswer } from '@rackfair/protocol/reach'
import { workspacePlace } from '@rackfair/protocol/workspace'
import { isSignedBy } from '@rackfair/sdk'
import { probe } from '../../reach/probe.ts'
import { workspacePlaceOf } from '../../relay/workspacePlaceOf.ts'
import type { AppContext } from '../AppContext.ts'
import { addressParam } from '../addressParam.ts'
import { type App, defineRoute } from '../defineRoute.ts'
import { limit } from '../limit.ts'
import { notFound } from '../notFound.ts'
import { readQuery } from '../readQuery.ts'

const tag = 'providers'
const params = z.object({ address: addressParam })

/** How a provider's agent is reached: by workspaces through this platform, and by visitors at its registered address. */
export function reachRoutes(app: App, context: AppContext): void {
  const { nodeIndex, db, feed } = context

  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/cp/{address}/workspace',
      id: 'getWorkspacePlace',
      summary: 'What to seal to a provider’s agent with, and where its WebSocket for workspaces is',
      tag,
      params,
      query: readQuery,
      answer: workspacePlace,
    },
    async (call, { params: { address } }) => {
      call.header('cache-control', 'no-store')
      return call.json(await workspacePlaceOf(db, context.presence, address))
    },
  )

  defineRoute(
    app,
    {
      method: 'post',
      path: '/v1/cp/{address}/reach',
      id: 'probeProvider',
      summary: 'Probes the registered address of a provider: is it its agent that answers?',
      tag,
      params,
      query: readQuery,
      answer: reachAnswer,
    },
    async (call, { params: { address }, query }) => {
      if (query.minBlock !== undefined) await feed.reached(query.minBlock, 5_000)
      const row = nodeIndex.providerRow(address) ?? notFound(`provider ${address}`)
      limit(call, context, 'reachCaller')
      limit(call, context, 'reachProvider', address)
      const isSignedByAgent = async (text: string, signature: string) =>
        (await isSignedBy(context.client, row.operator, text, signature)) ||
        (await isSignedBy(context.client, address, text, signature))
      const { chainId } = context.settings.deployment
      call.header('cache-control', 'no-store')
      return call.json(await probe({ provider: address, ip: row.ip, port: row.port, chainId, isSignedByAgent }))
    },
  )
}

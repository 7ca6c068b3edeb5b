import { z } from '@hono/zod-openapi'
import { edgeRequest, parseEdge } from '@rackfair/protocol/door'
import { edgePlaceAnswer, reachAnswer } from '@rackfair/protocol/reach'
import { workspacePlace } from '@rackfair/protocol/workspace'
import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import { AppError } from '@rackfair/rules/errors/AppError'
import { isSignedBy } from '@rackfair/sdk'
import { askEdge } from '@rackfair/sdk/askEdge'
import { isInsideIp, publicLookup } from '@rackfair/sdk/publicLookup'
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

  defineRoute(
    app,
    {
      method: 'post',
      path: '/v1/cp/{address}/edge',
      id: 'askEdge',
      summary: 'Asks an edge which address, port and name it would give to a provider',
      tag,
      params,
      body: edgeRequest,
      answer: edgePlaceAnswer,
    },
    async (call, { params: { address }, body }) => {
      limit(call, context, 'reachCaller')
      const edge = parseEdge(body.edge)
      if (!edge) throw new AppError('bad_request', 'an edge is written as edge.example#FINGERPRINT, with 64 hex digits')
      const isLocal = context.settings.deployment.chainId === DEVELOPMENT_CHAIN_ID
      if (!isLocal && isInsideIp({ hostname: edge.host }))
        throw new AppError('edge_unavailable', `${edge.host} is not on the internet`, { facts: { status: 422 } })
      const place = await askEdge(edge, address, isLocal ? {} : { lookup: publicLookup }).catch(
        (cause: AppError<'edge_unavailable'>) => {
          throw new AppError('edge_unavailable', cause.message, { cause, facts: { status: 422 } })
        },
      )
      call.header('cache-control', 'no-store')
      return call.json(place)
    },
  )
}

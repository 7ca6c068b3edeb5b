import { z } from '@hono/zod-openapi'
import { deploymentRequest } from '@rackfair/protocol/deploymentRequests'
import { deploymentShape } from '@rackfair/protocol/deployments'
import { AppError } from '@rackfair/rules/errors/AppError'
import { dispatchDeployment } from '../../relay/dispatchDeployment.ts'
import type { AppContext } from '../AppContext.ts'
import { type App, type Call, defineRoute } from '../defineRoute.ts'
import { limit } from '../limit.ts'
import { notFound } from '../notFound.ts'
import { readQuery } from '../readQuery.ts'
import { respond } from '../respond.ts'

const tag = 'deployments'
/** HTTP header fields are case-insensitive; they arrive in lower case. */
const greetHeaders = z.object({ signtoken: z.string().max(10_000), signmessage: z.string().max(2_000) })

export function deploymentRoutes(app: App, context: AppContext): void {
  const dispatch = async (call: Call, request: z.output<typeof deploymentRequest>, only?: 'deploy' | 'clean') => {
    limit(call, context, 'deploy')
    const deployment = await dispatchDeployment(
      { ...context, chainId: context.settings.deployment.chainId, onNews: () => context.feed.wake() },
      request,
      only,
    )
    call.header('cache-control', 'no-store')
    return call.json(deployment, 202)
  }

  defineRoute(
    app,
    {
      method: 'post',
      path: '/v1/deployments',
      id: 'createDeployment',
      summary: 'Deploy or clean with a signed text',
      tag,
      body: deploymentRequest,
      status: 202,
      answer: deploymentShape,
    },
    (call, { body }) => dispatch(call, body),
  )

  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/deployments/{id}',
      id: 'getDeployment',
      summary: 'One deployment with its steps',
      tag,
      params: z.object({ id: z.string().regex(/^[\w-]{1,64}$/) }),
      query: readQuery,
      answer: deploymentShape,
    },
    (call, { params: { id } }) =>
      respond(call, context, ['deployment'], async () => ({
        value: (await context.deployments.get(id)) ?? notFound('this deployment'),
      })),
  )

  for (const [path, id, only, summary] of [
    ['/greet/deployid', 'greetDeploy', 'deploy', 'Deploy with headers SignToken and SignMessage'],
    ['/greet/cleanuser', 'greetClean', 'clean', 'Clean with headers SignToken and SignMessage'],
  ] as const) {
    defineRoute(
      app,
      { method: 'get', path, id, summary, tag, headers: greetHeaders, status: 202, answer: deploymentShape },
      (call, { headers }) => {
        const request = deploymentRequest.safeParse({ text: decoded(headers.signmessage), signature: headers.signtoken })
        if (!request.success) throw new AppError('bad_request', 'SignToken is not a signature, or SignMessage not a signed text')
        return dispatch(call, request.data, only)
      },
    )
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new AppError('bad_request', 'SignMessage is not URL-encoded')
  }
}

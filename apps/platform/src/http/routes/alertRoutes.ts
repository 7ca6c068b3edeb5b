import { z } from '@hono/zod-openapi'
import { okAnswer } from '@rackfair/protocol/account'
import { alertRequest, alertToken } from '@rackfair/protocol/alertRequests'
import { alertCreated, alertsAnswer, alertTested } from '@rackfair/protocol/alerts'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { Sessions } from '../../auth/Sessions.ts'
import type { AppContext } from '../AppContext.ts'
import { type App, type Call, defineRoute } from '../defineRoute.ts'
import { limit } from '../limit.ts'
import { sessionToken } from '../sessionToken.ts'

const OK = { ok: true as const }
const idParams = z.object({ id: z.string().regex(/^[\w-]{43}$/) })

/** Alerts of the signed-in account. */
export function alertRoutes(app: App, context: AppContext, sessions: Sessions): void {
  const { alerts } = context
  const tag = 'alerts'
  const account = async (call: Call): Promise<LowerCaseAddress> => {
    call.header('cache-control', 'no-store')
    const session = await sessions.find(sessionToken(call))
    if (!session) throw new AppError('unauthenticated', 'sign in first', { facts: { status: 401 } })
    return session.address
  }

  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/alerts',
      id: 'listAlerts',
      summary: 'Alerts of the signed-in account',
      tag,
      answer: alertsAnswer,
    },
    async (call) => {
      const owner = await account(call)
      return call.json({ alerts: await alerts.list(owner), mail: alerts.hasMail, recent: await alerts.recent(owner) })
    },
  )

  defineRoute(
    app,
    {
      ...{ method: 'post', path: '/v1/alerts', id: 'createAlert', summary: 'Be told by webhook or mail' },
      ...{ tag, body: alertRequest, answer: alertCreated },
    },
    async (call, { body }) => {
      const owner = await account(call)
      limit(call, context, 'alert')
      limit(call, context, 'alertTarget', body.target.trim().toLowerCase())
      return call.json(await alerts.create(owner, body))
    },
  )

  defineRoute(
    app,
    {
      ...{ method: 'post', path: '/v1/alerts/{id}/remove', id: 'removeAlert', summary: 'Remove an alert' },
      ...{ tag, params: idParams, answer: okAnswer },
    },
    async (call, { params }) => {
      await alerts.remove(await account(call), params.id)
      return call.json(OK)
    },
  )

  defineRoute(
    app,
    {
      ...{ method: 'post', path: '/v1/alerts/{id}/test', id: 'testAlert', summary: 'Send a test message now' },
      ...{ tag, params: idParams, answer: alertTested },
    },
    async (call, { params }) => {
      const owner = await account(call)
      limit(call, context, 'alert')
      return call.json({ error: await alerts.test(owner, params.id) })
    },
  )

  for (const action of ['confirm', 'unsubscribe'] as const) {
    defineRoute(
      app,
      {
        ...{ method: 'post', path: `/v1/alerts/${action}`, id: `${action}Alert`, summary: `The link of a mail: ${action}` },
        ...{ tag, body: alertToken, answer: okAnswer },
      },
      async (call, { body }) => {
        limit(call, context, 'alert')
        await alerts[action](body.token)
        return call.json(OK)
      },
    )
  }
}

import { OpenAPIHono } from '@hono/zod-openapi'
import { bodyLimit } from 'hono/body-limit'
import { routePath } from 'hono/route'
import type { Sessions } from '../auth/Sessions.ts'
import type { AppContext } from './AppContext.ts'
import { answerError } from './answerError.ts'
import type { App, Call, Env } from './defineRoute.ts'
import { describeApi } from './describeApi.ts'
import type { EventStreams } from './EventStreams.ts'
import { guard } from './guard.ts'
import { accountRoutes } from './routes/accountRoutes.ts'
import { alertRoutes } from './routes/alertRoutes.ts'
import { deploymentRoutes } from './routes/deploymentRoutes.ts'
import { eventRoutes } from './routes/eventRoutes.ts'
import { fileRoutes } from './routes/fileRoutes.ts'
import { networkRoutes } from './routes/networkRoutes.ts'
import { nodeRoutes } from './routes/nodeRoutes.ts'
import { orderRoutes } from './routes/orderRoutes.ts'
import { type Pages, pageRoutes } from './routes/pageRoutes.ts'
import { providerRoutes } from './routes/providerRoutes.ts'
import { reachRoutes } from './routes/reachRoutes.ts'
import { receiptRoutes } from './routes/receiptRoutes.ts'
import { specificationPaths } from './routes/specificationPaths.ts'
import { stateRoutes } from './routes/stateRoutes.ts'
import { uptimeRoutes } from './routes/uptimeRoutes.ts'

const MAX_BODY_BYTES = 300 * 1024
const MAX_READ_AWAY = 4 * 1024 * 1024

/** The whole HTTP side. `app.request()` answers without a socket. */
export function createApp(context: AppContext, sessions: Sessions): { app: App; streams: EventStreams; pages: Pages } {
  const app: App = new OpenAPIHono<Env>({
    defaultHook: (result, call) => {
      if (result.success) return undefined
      const issue = result.error.issues[0]
      const field = issue?.path.join('.') ?? ''
      const message = `${field === '' ? result.target : field}: ${issue?.message ?? 'is not valid'}`.slice(0, 300)
      return call.json({ code: 'bad_request', message }, 400)
    },
  })
  app.onError((error, call) => answerError(error, call, context.log))
  app.notFound((call) => call.json({ code: 'not_found', message: 'there is nothing here' }, 404))
  app.use('*', async (call, next) => {
    const started = performance.now()
    await next()
    const labels = { method: call.req.method, route: routePath(call, -1), status: call.res.status }
    context.metrics.requests.observe(labels, (performance.now() - started) / 1000)
  })
  app.use('*', guard(context))
  app.use('*', bodyLimit({ maxSize: MAX_BODY_BYTES, onError: tooLarge }))

  nodeRoutes(app, context)
  providerRoutes(app, context)
  reachRoutes(app, context)
  orderRoutes(app, context)
  receiptRoutes(app, context)
  uptimeRoutes(app, context)
  networkRoutes(app, context)
  accountRoutes(app, context, sessions)
  alertRoutes(app, context, sessions)
  deploymentRoutes(app, context)
  const streams = eventRoutes(app, context)
  stateRoutes(app, context)
  describeApi(app, context.settings)
  specificationPaths(app)
  const pages = pageRoutes(app, context)
  fileRoutes(app, context)
  return { app, streams, pages }
}

/** Drains the rest of the body first: a caller cut off while sending sees a broken connection, not the refusal. */
async function tooLarge(call: Call): Promise<Response> {
  let read = 0
  for await (const chunk of call.req.raw.body ?? []) {
    read += chunk.length
    if (read > MAX_READ_AWAY) break
  }
  return call.json({ code: 'payload_too_large', message: `a body may have at most ${MAX_BODY_BYTES} bytes` }, 413)
}

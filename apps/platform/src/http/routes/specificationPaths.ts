import type { App } from '../defineRoute.ts'

/** The calls of the specification as it writes them, without the version. */
const PATHS = ['/user/:address/order/list', '/cp/list/:from/:to', '/cp/:address', '/order/fee', '/global', '/global/'] as const

/** Leads them to version 1, method and body as they are. */
export function specificationPaths(app: App): void {
  for (const path of PATHS) {
    app.on(['GET', 'POST'], path, (call) => {
      const { pathname, search } = new URL(call.req.url)
      return call.json({ code: 'moved', message: `ask /v1${pathname}` }, 308, { location: `/v1${pathname}${search}` })
    })
  }
}

import type { App } from '../defineRoute.ts'

/** The endpoints of the specification under its own paths, without the version. */
const PATHS = ['/user/:address/order/list', '/cp/list/:from/:to', '/cp/:address', '/order/fee', '/global', '/global/'] as const

/** Forwards them to version 1, with method and body unchanged. */
export function specificationPaths(app: App): void {
  for (const path of PATHS) {
    app.on(['GET', 'POST'], path, (call) => {
      const { pathname, search } = new URL(call.req.url)
      return call.json({ code: 'moved', message: `ask /v1${pathname}` }, 308, { location: `/v1${pathname}${search}` })
    })
  }
}

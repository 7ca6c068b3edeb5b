import type { IncomingMessage } from 'node:http'
import { arrivalOf } from '../../foundation/arrival.ts'

/** Headers by which proxies say who asks, and for what: whoever sends one could claim it. */
const SAID_BY_PROXIES =
  /^(forwarded|x[-_]forwarded[-_].*|x[-_](real|client)[-_]ip|true[-_]client[-_]ip|cf[-_]connecting[-_]ip|x[-_]original[-_](host|url)|x[-_]rewrite[-_]url)$/

/**
 * Tells the application who asks and by which name it was reached, in place of what the visitor says. Only of a proxy in front
 * the addresses before its own are passed on.
 */
export function nameVisitor(request: IncomingMessage): void {
  const { headers } = request
  const { from, tls, isProxied } = arrivalOf(request.socket)
  const before = isProxied ? headers['x-forwarded-for'] : undefined
  for (const name of Object.keys(headers)) if (SAID_BY_PROXIES.test(name)) delete headers[name]
  headers['x-forwarded-for'] = before === undefined ? from : `${before}, ${from}`
  headers['x-forwarded-proto'] = tls ? 'https' : 'http'
  headers['x-forwarded-host'] = headers.host
}

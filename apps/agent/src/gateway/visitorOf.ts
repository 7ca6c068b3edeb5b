import type { IncomingMessage } from 'node:http'
import { networkOf } from '@rackfair/core'

/** The network of who asks. Behind a proxy with TLS, what the proxy itself says; undefined where it says nothing, since all share its address then. */
export function visitorOf(request: IncomingMessage, tls: boolean): string | undefined {
  if (!tls) return networkOf(request.socket.remoteAddress ?? '')
  const said = request.headers['x-forwarded-for']
  const last = said === undefined ? undefined : String(said).split(',').at(-1)?.trim()
  return last ? networkOf(last) : undefined
}

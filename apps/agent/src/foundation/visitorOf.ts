import type { IncomingMessage } from 'node:http'
import { networkOf } from '@rackfair/rules/network/networkOf'

/**
 * The client's network. Behind a TLS proxy, taken from the proxy's header; undefined without one, since all clients share the proxy's
 * address.
 */
export function visitorOf(request: IncomingMessage, tls: boolean): string | undefined {
  if (!tls) return networkOf(request.socket.remoteAddress ?? '')
  const said = request.headers['x-forwarded-for']
  const last = said === undefined ? undefined : String(said).split(',').at(-1)?.trim()
  return last ? networkOf(last) : undefined
}

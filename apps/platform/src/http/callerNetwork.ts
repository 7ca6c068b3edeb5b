import type { IncomingMessage } from 'node:http'
import { networkOf } from '@rackfair/rules/network/networkOf'

/**
 * What rate limits count as one caller: an IPv4 address, or the /64 of an IPv6 address. Behind trusted proxies it is the address seen by
 * the outermost of them, never what the caller claims.
 */
export function callerNetwork(request: Pick<IncomingMessage, 'socket' | 'headers'> | undefined, trustedProxies: number): string {
  return networkOf(addressOf(request, trustedProxies))
}

function addressOf(request: Pick<IncomingMessage, 'socket' | 'headers'> | undefined, trustedProxies: number): string {
  const direct = request?.socket?.remoteAddress ?? 'unknown'
  if (trustedProxies === 0) return direct
  const forwarded = [request?.headers['x-forwarded-for'] ?? ''].flat().join(',')
  const hops = forwarded
    .split(',')
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '')
  return hops[hops.length - trustedProxies] ?? direct
}

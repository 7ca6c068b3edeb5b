import type { IncomingMessage } from 'node:http'

/** The network address of a caller. Behind trusted proxies it is what the outermost of them saw, never what the caller claims. */
export function callerAddress(request: Pick<IncomingMessage, 'socket' | 'headers'> | undefined, trustedProxies: number): string {
  const direct = request?.socket?.remoteAddress ?? 'unknown'
  if (trustedProxies === 0) return direct
  const forwarded = [request?.headers['x-forwarded-for'] ?? ''].flat().join(',')
  const hops = forwarded
    .split(',')
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '')
  return hops[hops.length - trustedProxies] ?? direct
}

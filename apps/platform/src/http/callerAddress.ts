import type { Call } from './defineRoute.ts'

/** The network address of a caller. Behind trusted proxies it is what the outermost of them saw, never what the caller claims. */
export function callerAddress(call: Call, trustedProxies: number): string {
  const direct = call.env?.incoming?.socket?.remoteAddress ?? 'unknown'
  if (trustedProxies === 0) return direct
  const hops = (call.req.header('x-forwarded-for') ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '')
  return hops[hops.length - trustedProxies] ?? direct
}

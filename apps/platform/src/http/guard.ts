import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { MiddlewareHandler } from 'hono'
import type { Settings } from '../settings/Settings.ts'
import type { AppContext } from './AppContext.ts'
import type { Env } from './defineRoute.ts'
import { limit } from './limit.ts'

const EXPOSED = 'x-rackfair-block, x-rackfair-next, etag, retry-after, date'

/** The headers of every answer, the CORS origins, and the general rate limit. */
export function guard(context: AppContext): MiddlewareHandler<Env> {
  const { settings } = context
  const common = Object.entries(securityHeaders(settings))
  return async (call, next) => {
    const origin = call.req.header('origin')
    const allowed = origin === undefined || settings.origins.includes(origin)
    const asked = call.req.method === 'OPTIONS' ? call.req.header('access-control-request-method') : call.req.method
    const isPublic = isPublicRead(asked, call.req.path)
    if (!allowed && !isPublic && call.req.method !== 'GET' && call.req.method !== 'HEAD') {
      throw new AppError('forbidden', 'this origin may not call', { facts: { status: 403 } })
    }
    if (call.req.path.startsWith('/v1/') || call.req.path.startsWith('/greet/')) limit(call, context, 'read')
    if (call.req.method === 'OPTIONS') call.res = new Response(null, { status: 204 })
    else await next()
    const { headers } = call.res
    if (origin !== undefined && (allowed || isPublic)) {
      headers.set('access-control-allow-origin', allowed ? origin : '*')
      if (allowed) headers.set('access-control-allow-credentials', 'true')
      headers.set('access-control-expose-headers', EXPOSED)
      if (call.req.method === 'OPTIONS') {
        headers.set('access-control-allow-methods', 'GET, POST')
        headers.set(
          'access-control-allow-headers',
          'authorization, content-type, if-none-match, signtoken, signmessage, last-event-id',
        )
        headers.set('access-control-max-age', '600')
      }
    }
    for (const [name, value] of common) if (!headers.has(name)) headers.set(name, value)
  }
}

/** Reads that any page may make, without cookies: the answer is the same for everybody, and changes nothing. A fee quote is such a read. */
function isPublicRead(method: string | undefined, path: string): boolean {
  if (path.startsWith('/v1/auth/') || path.startsWith('/greet/')) return false
  return method === 'GET' || method === 'HEAD' || (method === 'POST' && /^(\/v1)?\/order\/fee$/.test(path))
}

/** Headers of every answer. */
export function securityHeaders(settings: Settings): Record<string, string> {
  const development = settings.deployment.chainId === DEVELOPMENT_CHAIN_ID
  const strict = !development && settings.origins[0]?.startsWith('https:')
  return {
    'content-security-policy': contentPolicy(settings),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    ...(strict ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

function contentPolicy(settings: Settings): string {
  const rpc = new URL(settings.publicRpcUrl)
  const chain = [rpc.origin, rpc.origin.replace(/^http/, 'ws')]
  const mainnet = settings.site.mainnetRpcUrl ? [new URL(settings.site.mainnetRpcUrl).origin] : []
  const relay = settings.site.walletConnectProjectId ? [new URL(settings.site.walletConnectRelayUrl).origin] : []
  const processes = settings.relayUrls.map((url) => new URL(url).origin.replace(/^http/, 'ws'))
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    // Files of an order that the page has opened. The picture of a user's own ENS name is on a host of that user's choice.
    "media-src 'self' blob:",
    `img-src 'self' data: blob:${settings.site.mainnetRpcUrl ? ' https:' : ''}`,
    "font-src 'self'",
    `connect-src ${["'self'", ...chain, ...mainnet, ...relay, ...processes].join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

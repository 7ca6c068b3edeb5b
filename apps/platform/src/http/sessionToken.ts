import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'

/** The cookie that carries the token of a session where the site has TLS. */
export const COOKIE = '__Host-rackfair_session'

/**
 * The token of a call's session. Without TLS, pages keep it and send it as a bearer token (RFC 6750): a cookie would reach every port of
 * the host, those of tenants too.
 */
export function sessionToken(call: Context): string | undefined {
  return /^Bearer ([\w-]{43})$/i.exec(call.req.header('authorization') ?? '')?.[1] ?? getCookie(call, COOKIE)
}

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Prefix of all gateway cookies; they are never forwarded to an application. */
const PREFIX = 'rackfair_'
const OURS = new RegExp(`^(__Host-)?${PREFIX}`, 'i')

/**
 * The name of a cookie. Where the origin has TLS, `__Host-` keeps pages of neighbouring names and connections without TLS from setting it.
 */
const nameOf = (name: string, secure: boolean): string => `${secure ? '__Host-' : ''}${PREFIX}${name}`
/** Holds the order that a browser visits, on a gateway with one shared origin. */
export const visitCookie = (secure: boolean): string => nameOf('visit', secure)
/** Holds the session of the order's owner, on an origin with TLS. */
export const ownerCookie = (orderId: bigint): string => nameOf(`owner_${orderId}`, true)

/** Cookies by name, without those that are sent twice: one of them may have been set by somebody else. */
export function readCookies(header: string | undefined): Map<string, string> {
  const cookies = new Map<string, string>()
  const repeated = new Set<string>()
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at <= 0) continue
    const name = part.slice(0, at).trim()
    if (cookies.has(name)) repeated.add(name)
    cookies.set(name, part.slice(at + 1).trim())
  }
  for (const name of repeated) cookies.delete(name)
  return cookies
}

/** The Cookie header without the gateway's own; undefined when nothing is left. */
export function foreignCookies(header: string | undefined): string | undefined {
  const rest = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !OURS.test(part))
  return rest.length > 0 ? rest.join('; ') : undefined
}

/** Removes `Set-Cookie` headers of an application that would overwrite a gateway cookie. Browsers read `=name=…` as `name=…`. */
export function keepOurCookies(headers: { 'set-cookie'?: string | string[] | undefined }): void {
  const lines = [headers['set-cookie'] ?? []].flat()
  if (lines.length > 0) headers['set-cookie'] = lines.filter((line) => !OURS.test(line.replace(/^[\s=]+/, '')))
}

export function signValue(value: string, secret: string): string {
  return `${value}.${createHmac('sha256', secret).update(value).digest('base64url')}`
}

/** The value of a signed cookie; undefined if the signature is not ours. */
export function openValue(signed: string | undefined, secret: string): string | undefined {
  const at = signed?.lastIndexOf('.') ?? -1
  if (!signed || at < 1) return undefined
  const value = signed.slice(0, at)
  const expected = Buffer.from(signValue(value, secret))
  const actual = Buffer.from(signed)
  return expected.length === actual.length && timingSafeEqual(expected, actual) ? value : undefined
}

export function setCookie(name: string, value: string, options: { maxAgeSeconds: number; secure: boolean }): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${options.maxAgeSeconds}${options.secure ? '; Secure' : ''}`
}

/** Forwards the application's own cookies, and none of the gateway's. */
export function forwardCookies(request: IncomingMessage): void {
  const cookies = foreignCookies(request.headers.cookie)
  if (cookies === undefined) delete request.headers.cookie
  else request.headers.cookie = cookies
}

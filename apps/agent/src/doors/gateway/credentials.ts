import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** What opens a protected application: a name that says until when, and its proof. */
export interface Credentials {
  name: string
  proof: string
}

/** Names of credentials begin with it, so that they are known from those of an application. */
export const CREDENTIALS_PREFIX = 'rackfair.'
/** Here a page has its browser try new credentials. It lies at the root: browsers use them for all paths beside and below. */
export const SESSION_PATH = '/.rackfair-session'
export const CHALLENGE = 'Basic realm="rackfair"'

/** The gateway's own credentials in an Authorization header; undefined if there are none, or an application's. */
export function readCredentials({ authorization }: IncomingHttpHeaders): Credentials | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/=]{1,1024})$/i.exec(authorization ?? '')?.[1]
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString()
  const at = text.indexOf(':')
  return text.startsWith(CREDENTIALS_PREFIX) && at > 0 ? { name: text.slice(0, at), proof: text.slice(at + 1) } : undefined
}

/** Forwards an application's own Authorization header, and none of the gateway's; true if it was the gateway's. */
export function forwardCredentials(request: IncomingMessage): boolean {
  if (!readCredentials(request.headers)) return false
  delete request.headers.authorization
  return true
}

/**
 * Browsers forget the credentials that they sent when the response is 401, and replace them when it names a realm of its own. Where they
 * hold the session, an application's 401 is therefore delivered as 403.
 */
export function keepOurCredentials(answer: { statusCode?: number | undefined; headers: IncomingHttpHeaders }): void {
  if (answer.statusCode === 401) answer.statusCode = 403
  delete answer.headers['www-authenticate']
}

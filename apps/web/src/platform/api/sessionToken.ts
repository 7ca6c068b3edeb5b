import type { SessionToken } from '@rackfair/sdk/http'

const KEY = 'rackfair.session'
/** Where nothing can be stored, the session lasts as long as the page. */
let kept: string | undefined

/** Keeps the token of a session where a cookie would reach other ports of the host: storage belongs to one scheme, host and port. */
export const sessionToken: SessionToken = {
  get: () => {
    try {
      return localStorage.getItem(KEY) ?? undefined
    } catch {
      return kept
    }
  },
  set: (token) => {
    kept = token
    try {
      if (token === undefined) localStorage.removeItem(KEY)
      else localStorage.setItem(KEY, token)
    } catch {
      // Kept for this page.
    }
  },
}

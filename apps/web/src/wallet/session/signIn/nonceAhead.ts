import type { AuthAdapter } from './AuthAdapter.ts'

/** Well below the platform's own limit: a dialog may stay open for a long time. */
const FRESH_MS = 120_000

/**
 * The adapter with its next nonce fetched before it is asked for. A phone opens its wallet only while the press still counts, so nothing
 * may be waited for between the two. A nonce that could not be fetched, or is old, is fetched when it is needed.
 */
export function withNonceAhead(adapter: AuthAdapter, now: () => number = Date.now): AuthAdapter {
  const fetched = () => ({ at: now(), nonce: adapter.getNonce().catch(() => undefined) })
  let next: ReturnType<typeof fetched> | undefined = fetched()
  return {
    ...adapter,
    getNonce: async () => {
      const ahead = next && now() - next.at < FRESH_MS ? await next.nonce : undefined
      next = undefined
      return ahead ?? adapter.getNonce()
    },
  }
}

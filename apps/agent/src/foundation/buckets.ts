/** Lets each key do `burst` things at once and then one per `refillMs`. Keeps at most `maxKeys` of them in memory. */
export function createTokenBuckets(options: { burst: number; refillMs: number; maxKeys?: number; now?: () => number }) {
  const { burst, refillMs, maxKeys = 10_000, now = () => performance.now() } = options
  const buckets = new Map<string, { tokens: number; at: number }>()
  return {
    /** Takes one token; false when there is none. */
    take(key: string): boolean {
      const time = now()
      const bucket = buckets.get(key) ?? { tokens: burst, at: time }
      const tokens = Math.min(burst, bucket.tokens + (time - bucket.at) / refillMs)
      buckets.delete(key)
      if (buckets.size >= maxKeys) buckets.delete(buckets.keys().next().value as string)
      buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: time })
      return tokens >= 1
    },
    /** Gives a taken token back. */
    giveBack(key: string): void {
      const bucket = buckets.get(key)
      if (bucket) bucket.tokens = Math.min(burst, bucket.tokens + 1)
    },
  }
}

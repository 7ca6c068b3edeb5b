/** Lets each key do `burst` things at once and then `perSecond`. Keeps 10,000 keys at most. `now` in milliseconds. */
export function createPace({ burst, perSecond }: { burst: number; perSecond: number }, now: () => number) {
  const buckets = new Map<string, { tokens: number; at: number }>()
  return {
    take(key: string): boolean {
      const time = now()
      const { tokens, at } = buckets.get(key) ?? { tokens: burst, at: time }
      const left = Math.min(burst, tokens + ((time - at) * perSecond) / 1000)
      buckets.delete(key)
      if (buckets.size >= 10_000) buckets.delete(buckets.keys().next().value as string)
      buckets.set(key, { tokens: left >= 1 ? left - 1 : left, at: time })
      return left >= 1
    },
  }
}

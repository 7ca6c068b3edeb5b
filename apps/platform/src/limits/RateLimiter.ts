/** A budget that refills steadily: `burst` at once, `perMinute` in the long run. */
export interface Rate {
  burst: number
  perMinute: number
}

interface Bucket {
  tokens: number
  at: number
}

const MAX_BUCKETS = 50_000

/** Token buckets by name and caller. Beyond `MAX_BUCKETS` the one unused for the longest is dropped, so memory is bounded. */
export class RateLimiter {
  private readonly buckets = new Map<string, Bucket>()
  private readonly scale: number

  constructor(scale: number) {
    this.scale = scale
  }

  /** Takes one token. Returns 0, or the seconds until one is available. */
  take(name: string, caller: string, rate: Rate, now = Date.now()): number {
    if (this.scale === 0) return 0
    const burst = rate.burst * this.scale
    const perMs = (rate.perMinute * this.scale) / 60_000
    const key = `${name}|${caller}`
    const known = this.buckets.get(key)
    const tokens = known ? Math.min(burst, known.tokens + (now - known.at) * perMs) : burst
    this.buckets.delete(key)
    if (this.buckets.size >= MAX_BUCKETS) this.buckets.delete(this.buckets.keys().next().value as string)
    const enough = tokens >= 1
    this.buckets.set(key, { tokens: enough ? tokens - 1 : tokens, at: now })
    return enough ? 0 : Math.max(1, Math.ceil((1 - tokens) / perMs / 1000))
  }
}

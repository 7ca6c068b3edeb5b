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

/** Token buckets by name and caller. Full buckets are forgotten, so memory is bounded by who is active. */
export class RateLimiter {
  private readonly buckets = new Map<string, Bucket>()
  private readonly scale: number

  constructor(scale: number) {
    this.scale = scale
  }

  /** Takes one token. Answers 0, or the seconds until there is one. */
  take(name: string, caller: string, rate: Rate, now = Date.now()): number {
    if (this.scale === 0) return 0
    const burst = rate.burst * this.scale
    const perMs = (rate.perMinute * this.scale) / 60_000
    const key = `${name}|${caller}`
    const known = this.buckets.get(key)
    const tokens = known ? Math.min(burst, known.tokens + (now - known.at) * perMs) : burst
    this.buckets.delete(key)
    if (this.buckets.size >= MAX_BUCKETS) this.forgetOldest()
    const enough = tokens >= 1
    this.buckets.set(key, { tokens: enough ? tokens - 1 : tokens, at: now })
    return enough ? 0 : Math.max(1, Math.ceil((1 - tokens) / perMs / 1000))
  }

  private forgetOldest(): void {
    const oldest = this.buckets.keys().next()
    if (!oldest.done) this.buckets.delete(oldest.value)
  }
}

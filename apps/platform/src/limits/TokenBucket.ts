/** A budget that refills steadily: `burst` at once, `perSecond` in the long run. */
export class TokenBucket {
  private readonly burst: number
  private readonly perSecond: number
  private tokens: number
  private at = performance.now()

  constructor({ burst, perSecond }: { burst: number; perSecond: number }) {
    this.burst = burst
    this.perSecond = perSecond
    this.tokens = burst
  }

  /** Takes `count` tokens; false, without taking any, if there are fewer. */
  take(count: number, now = performance.now()): boolean {
    this.tokens = Math.min(this.burst, this.tokens + ((now - this.at) / 1000) * this.perSecond)
    this.at = now
    if (this.tokens < count) return false
    this.tokens -= count
    return true
  }
}

/** Counts what each caller has open: at most `perCaller` for one, and `total` for all. */
export class CallerCounts {
  private readonly counts = new Map<string, number>()
  private readonly perCaller: number
  private readonly total: number
  private open = 0

  constructor(limits: { perCaller: number; total: number }) {
    this.perCaller = limits.perCaller
    this.total = limits.total
  }

  /** Counts one more and returns a function that releases it, once; or the limit that was reached. */
  take(caller: string): (() => void) | 'per_caller' | 'total' {
    const count = this.counts.get(caller) ?? 0
    if (count >= this.perCaller) return 'per_caller'
    if (this.open >= this.total) return 'total'
    this.open += 1
    this.counts.set(caller, count + 1)
    let given = true
    return () => {
      if (!given) return
      given = false
      this.open -= 1
      const left = (this.counts.get(caller) ?? 1) - 1
      if (left > 0) this.counts.set(caller, left)
      else this.counts.delete(caller)
    }
  }
}

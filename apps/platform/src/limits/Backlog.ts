/**
 * Counts what waits for slow readers. A reader for whom more than `each` bytes wait is dropped; while more than `all` bytes wait for all of
 * them together, the slowest is.
 */
export class Backlog {
  private readonly limits: { each: number; all: number }
  private readonly waiting = new Map<() => void, number>()
  private total = 0

  constructor(limits: { each: number; all: number }) {
    this.limits = limits
  }

  /** Wait for all readers. */
  get bytes(): number {
    return this.total
  }

  /** Notes how many bytes wait for a reader now. `drop` names it; it is called at most once. */
  note(drop: () => void, bytes: number): void {
    this.total += bytes - (this.waiting.get(drop) ?? 0)
    if (bytes > 0) this.waiting.set(drop, bytes)
    else this.waiting.delete(drop)
    if (bytes > this.limits.each) this.end(drop)
    while (this.total > this.limits.all) this.end(this.slowest())
  }

  forget(drop: () => void): void {
    this.total -= this.waiting.get(drop) ?? 0
    this.waiting.delete(drop)
  }

  private end(drop: () => void): void {
    this.forget(drop)
    drop()
  }

  private slowest(): () => void {
    let found: [drop: () => void, bytes: number] = [() => {}, 0]
    for (const one of this.waiting) if (one[1] > found[1]) found = one
    return found[0]
  }
}

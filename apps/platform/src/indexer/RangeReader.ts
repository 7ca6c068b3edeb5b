import { setImmediate } from 'node:timers/promises'
import type { AppliedRange } from './applyRange.ts'

const FIRST_RANGE = 16
const MAX_RANGE = 100_000
/** How much longer than the last range the next one may be. */
const MAX_GROWTH = 4

interface RangeAnswer {
  /** In sequence; the last one ends the range. */
  parts: AppliedRange[]
  logs: number
  end: AppliedRange['head']
}

interface Asked {
  from: number
  to: number
  answer: Promise<RangeAnswer>
}

/** Reads a range that ends at `to`, or after it, at `last` at the latest. */
export type ReadRange = (from: number, to: number, last: number) => Promise<RangeAnswer>

/**
 * Reads ranges in sequence, prefetching the next one while the caller writes the current one: about as long as `logsAtOnce` logs need, or
 * as the node answers.
 */
export class RangeReader {
  private readonly read: ReadRange
  private readonly logsAtOnce: number
  private size = FIRST_RANGE
  private ahead: Asked | undefined

  constructor(read: ReadRange, logsAtOnce: number) {
    this.read = read
    this.logsAtOnce = logsAtOnce
  }

  /** The range that begins with `from`; `undefined` if the node refused that size, and the next request is smaller. */
  async next(from: number, last: number): Promise<RangeAnswer | undefined> {
    const asked = this.ahead?.from === from ? this.ahead : this.ask(from, last)
    this.ahead = undefined
    const { to } = asked
    try {
      const answer = await asked.answer
      const growth = Math.min(MAX_GROWTH, this.logsAtOnce / Math.max(1, answer.logs))
      this.size = Math.min(MAX_RANGE, Math.ceil(this.size * growth))
      if (answer.end.number < last) this.ahead = this.ask(answer.end.number + 1, last)
      // SQLite writes without a pause: the request has to be out before.
      await setImmediate()
      return answer
    } catch (error) {
      if (to === from) throw error
      this.size = Math.max(1, Math.floor((to - from + 1) / 2))
      return undefined
    }
  }

  /** What was prefetched may no longer be on the chain. */
  forget(): void {
    this.ahead = undefined
  }

  private ask(from: number, last: number): Asked {
    const to = Math.min(from + this.size - 1, last)
    const answer = this.read(from, to, last)
    // Awaited later; without a handler, a failure until then would be unhandled.
    answer.catch(() => undefined)
    return { from, to, answer }
  }
}

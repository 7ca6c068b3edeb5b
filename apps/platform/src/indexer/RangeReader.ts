import type { BlockHead, RawLog } from './ChainSource.ts'

const FIRST_RANGE = 2_000
const MAX_RANGE = 100_000
const MANY_LOGS = 10_000

interface RangeAnswer {
  logs: RawLog[]
  end: BlockHead
}

interface Asked {
  from: number
  to: number
  answer: Promise<RangeAnswer>
}

/** Reads a range that ends at `to`, or after it, at `last` at the latest. */
type ReadRange = (from: number, to: number, last: number) => Promise<RangeAnswer>

/** Reads ranges in sequence, as large as the node answers, prefetching the next one while the caller writes the current one. */
export class RangeReader {
  private readonly read: ReadRange
  private size = FIRST_RANGE
  private ahead: Asked | undefined

  constructor(read: ReadRange) {
    this.read = read
  }

  /** The range that begins with `from`; `undefined` if the node refused that size, and the next request is smaller. */
  async next(from: number, last: number): Promise<RangeAnswer | undefined> {
    const asked = this.ahead?.from === from ? this.ahead : this.ask(from, last)
    this.ahead = undefined
    const { to } = asked
    try {
      const answer = await asked.answer
      this.size = Math.min(MAX_RANGE, answer.logs.length > MANY_LOGS ? Math.ceil(this.size / 2) : this.size * 2)
      if (answer.end.number < last) this.ahead = this.ask(answer.end.number + 1, last)
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

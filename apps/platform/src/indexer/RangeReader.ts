import { setImmediate } from 'node:timers/promises'
import type { BlockPlace } from './applyRange.ts'
import type { RawLog } from './ChainSource.ts'

const FIRST_RANGE = 16
const MAX_RANGE = 100_000
/** How much longer than the last range the next one may be. */
const MAX_GROWTH = 2
/** Ranges asked for and not yet taken: one is ready when the caller has written the last one, and the node works on another. */
const MAX_AHEAD = 2

interface RangeAnswer {
  logs: readonly RawLog[]
  /** Ends the range. */
  end: BlockPlace
}

interface Asked {
  from: number
  to: number
  answer: Promise<RangeAnswer>
  /** Number of its last block, once it is answered. */
  end?: number
}

/** Reads a range that ends at `to`, or after it, at `last` at the latest. */
export type ReadRange = (from: number, to: number, last: number) => Promise<RangeAnswer>

/**
 * Reads ranges in sequence, each asked for when the one before it was answered, while the caller decodes and writes earlier ones: about as
 * long as `logsAtOnce` logs need, or as the node answers.
 */
export class RangeReader {
  private readonly read: ReadRange
  private readonly logsAtOnce: number
  private size = FIRST_RANGE
  private ahead: Asked[] = []

  constructor(read: ReadRange, logsAtOnce: number) {
    this.read = read
    this.logsAtOnce = logsAtOnce
  }

  /** The range that begins with `from`; `undefined` if the node refused that size, and the next request is smaller. */
  async next(from: number, last: number): Promise<RangeAnswer | undefined> {
    if (this.ahead[0]?.from !== from) this.forget()
    const asked = this.ahead[0] ?? this.ask(from, last)
    try {
      const answer = await asked.answer
      if (this.ahead[0] === asked) this.ahead.shift()
      this.goOn(last)
      // The caller decodes, and SQLite writes, without a pause: the request has to be out before.
      await setImmediate()
      return answer
    } catch (error) {
      this.forget()
      if (asked.to === from) throw error
      this.size = Math.max(1, Math.floor((asked.to - from + 1) / 2))
      return undefined
    }
  }

  /** What was read ahead may no longer be on the chain. */
  forget(): void {
    this.ahead = []
  }

  private ask(from: number, last: number): Asked {
    const to = Math.min(from + this.size - 1, last)
    const asked: Asked = { from, to, answer: this.read(from, to, last) }
    const { ahead } = this
    ahead.push(asked)
    asked.answer.then(
      ({ logs, end }) => {
        if (ahead !== this.ahead) return
        asked.end = end.number
        const growth = Math.min(MAX_GROWTH, this.logsAtOnce / Math.max(1, logs.length))
        this.size = Math.min(MAX_RANGE, Math.ceil(this.size * growth))
        this.goOn(last)
      },
      // Whoever takes this range sees the failure.
      () => undefined,
    )
    return asked
  }

  /** The next request, once the newest one is answered: contracts that it named belong to the following ranges. */
  private goOn(last: number): void {
    const end = this.ahead.at(-1)?.end
    if (end !== undefined && end < last && this.ahead.length < MAX_AHEAD) this.ask(end + 1, last)
  }
}

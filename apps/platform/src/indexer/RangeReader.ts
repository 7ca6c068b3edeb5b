import { setImmediate } from 'node:timers/promises'
import type { BlockPlace } from './applyRange.ts'
import type { RawLog } from './ChainSource.ts'
import type { ChainEvent } from './decodeLog.ts'

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

/** A range, and the events that its logs are of. */
export interface DecodedRange extends RangeAnswer {
  events: readonly ChainEvent[]
}

interface Asked {
  from: number
  to: number
  range: Promise<DecodedRange>
  /** Number of its last block, once it is answered. */
  end?: number
}

/** Reads a range that ends at `to`, or after it, at `last` at the latest. */
export type ReadRange = (from: number, to: number, last: number) => Promise<RangeAnswer>

interface Reading {
  read: ReadRange
  decode: (logs: readonly RawLog[]) => readonly ChainEvent[]
  /** About as many logs a range has. */
  logsAtOnce: number
}

/**
 * Reads ranges in sequence, each asked for when the one before it was answered, and decodes them, while the caller writes earlier ones and
 * the database works.
 */
export class RangeReader {
  private readonly reading: Reading
  private size = FIRST_RANGE
  private ahead: Asked[] = []

  constructor(reading: Reading) {
    this.reading = reading
  }

  /** The range that begins with `from`; `undefined` if the node refused that size, and the next request is smaller. */
  async next(from: number, last: number): Promise<DecodedRange | undefined> {
    if (this.ahead[0]?.from !== from) this.forget()
    const asked = this.ahead[0] ?? this.ask(from, last)
    try {
      const range = await asked.range
      if (this.ahead[0] === asked) this.ahead.shift()
      this.goOn(last)
      // SQLite writes without a pause: the request has to be out before.
      await setImmediate()
      return range
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
    const asked: Asked = { from, to, range: this.readDecoded(from, to, last, (end) => this.noteEnd(asked, end, last)) }
    this.ahead.push(asked)
    // Whoever takes this range sees the failure.
    asked.range.catch(() => undefined)
    return asked
  }

  private async readDecoded(
    from: number,
    to: number,
    last: number,
    onAnswer: (answer: RangeAnswer) => void,
  ): Promise<DecodedRange> {
    const answer = await this.reading.read(from, to, last)
    onAnswer(answer)
    // The next request has to be out before the decoding, which has no pause.
    await setImmediate()
    return { ...answer, events: this.reading.decode(answer.logs) }
  }

  private noteEnd(asked: Asked, { logs, end }: RangeAnswer, last: number): void {
    if (!this.ahead.includes(asked)) return
    asked.end = end.number
    const growth = Math.min(MAX_GROWTH, this.reading.logsAtOnce / Math.max(1, logs.length))
    this.size = Math.min(MAX_RANGE, Math.ceil(this.size * growth))
    this.goOn(last)
  }

  /** The next request, once the newest one is answered: contracts that it named belong to the following ranges. */
  private goOn(last: number): void {
    const end = this.ahead.at(-1)?.end
    if (end !== undefined && end < last && this.ahead.length < MAX_AHEAD) this.ask(end + 1, last)
  }
}

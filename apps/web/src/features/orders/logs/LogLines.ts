import { type LogLine, type LogSourceName, MAX_LOG_BYTES } from '@rackfair/protocol/logLines'
import { type LogLevel, levelOf, MAX_SHOWN_CHARACTERS, readLine } from './readLine.ts'

/** A line as it is read: of several services, of one of them. */
export type ReadLine = LogLine & { service?: string | undefined }

/** A line as it is shown. `id` grows by one from line to line, also over those that were dropped. */
export interface ShownLine {
  id: number
  /** Unix milliseconds. */
  time: number
  source: LogSourceName
  /** Which of several services wrote it. */
  service: string | undefined
  level: LogLevel
  text: string
  /** Lines before this one are missing. */
  gap: boolean
  /** More was written than is shown. */
  cut: boolean
}

export type Counts = Record<LogLevel, number>

/** Lines that a page holds; the oldest go in blocks. */
export const MAX_LINES = 100_000
const DROP_LINES = 10_000
const MINUTE_MS = 60_000

/** The lines of a log that this page has read, oldest first, with what is counted of them. Changed in place; `version` says so. */
export class LogLines {
  /** Grows with every change. */
  version = 0
  lines: ShownLine[] = []
  counts: Counts = { info: 0, warn: 0, fail: 0 }
  /** Of all lines. As many as a machine keeps bytes: a hundred thousand long lines would be ten times that. */
  private characters = 0
  /** Lines of each minute since 1970. */
  readonly minutes = new Map<number, Counts>()
  private nextId = 0
  /** Of the line that goes on in the next piece. */
  private open: { source: LogSourceName; service: string | undefined } | undefined

  /** Appends what was read. A line that came in pieces is put together. */
  append(read: readonly ReadLine[]): void {
    for (const line of read) this.add(line)
    if (this.lines.length > MAX_LINES) this.drop(this.lines.length - MAX_LINES + DROP_LINES)
    while (this.characters > MAX_LOG_BYTES) this.drop(Math.ceil(this.lines.length / 10))
    this.version += 1
  }

  private add({ time, source, bytes, more, cut, gap, service }: ReadLine): void {
    const piece = readLine(bytes)
    const last = this.lines.at(-1)
    const isSame = (one: { source: LogSourceName; service?: string | undefined } | undefined) =>
      one?.source === source && one.service === service
    if (isSame(this.open) && last && !gap) {
      if (last.text.length < MAX_SHOWN_CHARACTERS) {
        last.text += piece
        this.characters += piece.length
      }
      last.cut ||= cut
    } else {
      const before = last && isSame(last) ? last.level : 'info'
      const line = {
        id: this.nextId++,
        time: Math.floor(time / 1000),
        source,
        service,
        level: levelOf(piece, before),
        text: piece,
        gap,
        cut,
      }
      this.lines.push(line)
      this.characters += piece.length
      this.count(line, 1)
    }
    this.open = more ? { source, service } : undefined
  }

  private drop(count: number): void {
    for (const line of this.lines.splice(0, count)) {
      this.characters -= line.text.length
      this.count(line, -1)
    }
  }

  private count({ time, level }: ShownLine, by: 1 | -1): void {
    this.counts[level] += by
    const minute = Math.floor(time / MINUTE_MS)
    const counts = this.minutes.get(minute) ?? { info: 0, warn: 0, fail: 0 }
    counts[level] += by
    if (counts.info + counts.warn + counts.fail === 0) this.minutes.delete(minute)
    else this.minutes.set(minute, counts)
  }
}

import { LOG_SOURCES, type LogLine, type LogSourceName, MAX_LOG_LINE_BYTES } from '@rackfair/protocol/logLines'

const SPACE = 0x20
const PARTIAL = 'P'.charCodeAt(0)
const FULL = 'F'.charCodeAt(0)
/** `2026-11-22T13:07:30.123456789+00:00`, in front of every record. */
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/

/** Whether a record is the last piece of a line; the start of the record suffices. */
export function endsLine(record: Buffer): boolean {
  const afterSource = record.indexOf(SPACE, record.indexOf(SPACE) + 1)
  return record[afterSource + 1] === FULL
}

interface OpenLine {
  time: number
  parts: Buffer[]
  /** Bytes of the line kept so far, including parts already returned. */
  bytes: number
  cut: boolean
}

/**
 * Assembles lines from the records of containers' output: time, stream, `F` for the last piece of a line or `P` for a partial one, and the
 * piece itself. Memory is bounded by the longest line that is kept.
 */
export function createLineAssembler() {
  const open = new Map<LogSourceName, OpenLine>()

  const line = (source: LogSourceName, one: OpenLine, more: boolean): LogLine => ({
    ...{ time: one.time, source, more, cut: one.cut, gap: false },
    bytes: one.parts.length === 1 ? (one.parts[0] as Buffer) : Buffer.concat(one.parts),
  })

  return {
    /** Takes one record without its newline; returns the line that it completes. Malformed records are skipped. */
    add(record: Buffer): LogLine | undefined {
      const afterTime = record.indexOf(SPACE)
      const afterSource = record.indexOf(SPACE, afterTime + 1)
      const tag = record[afterSource + 1]
      if (afterTime < 0 || afterSource < 0 || (tag !== PARTIAL && tag !== FULL)) return undefined
      if (record[afterSource + 2] !== SPACE) return undefined
      const time = microseconds(record.toString('latin1', 0, afterTime))
      const source = LOG_SOURCES.find((one) => one === record.toString('latin1', afterTime + 1, afterSource))
      if (time === undefined || source === undefined) return undefined
      const one = open.get(source) ?? { time, parts: [], bytes: 0, cut: false }
      if (one.parts.length === 0) one.time = time
      const piece = record.subarray(afterSource + 3)
      const kept = piece.subarray(0, MAX_LOG_LINE_BYTES - one.bytes)
      one.cut ||= kept.length < piece.length
      one.bytes += kept.length
      if (kept.length > 0) one.parts.push(kept)
      if (tag === PARTIAL) {
        open.set(source, one)
        return undefined
      }
      open.delete(source)
      return line(source, one, false)
    },

    /** Returns unfinished lines as they are. They continue in the next line of their source. */
    flush(): LogLine[] {
      return [...open].flatMap(([source, one]) => {
        if (one.parts.length === 0) return []
        const part = line(source, { ...one, cut: false }, true)
        open.set(source, { ...one, parts: [] })
        return [part]
      })
    },
  }
}

let lastSecond = ''
let lastSecondAt = 0

/** Unix microseconds; undefined if the text is not a time. */
function microseconds(text: string): number | undefined {
  const match = TIME.exec(text)
  if (!match) return undefined
  const [, second = '', fraction = '', zone = ''] = match
  // Most lines share their second with the previous one.
  if (lastSecond !== second + zone) {
    lastSecondAt = Date.parse(second + zone)
    lastSecond = second + zone
  }
  return Number.isNaN(lastSecondAt) ? undefined : lastSecondAt * 1000 + Number(fraction.slice(0, 6).padEnd(6, '0'))
}

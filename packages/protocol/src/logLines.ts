import { AppError } from '@rackfair/rules/errors/AppError'
import { MAX_DATE_MS } from '@rackfair/rules/limits'

/** The writer of a line: the provider's agent, or the application's stdout or stderr. */
export const LOG_SOURCES = ['agent', 'stdout', 'stderr'] as const
export type LogSourceName = (typeof LOG_SOURCES)[number]

export interface LogLine {
  /** Unix microseconds at which it was written. */
  time: number
  source: LogSourceName
  /** As the application wrote them, without the newline: any bytes, escape sequences included. A viewer has to sanitize them. */
  bytes: Uint8Array
  /** The line continues in the next one of the same source. */
  more: boolean
  /** The line was longer than `MAX_LOG_LINE_BYTES`; the rest was dropped. */
  cut: boolean
  /**
   * Lines before this one are missing, and possibly its own beginning: they were evicted from the ring, or arrived too fast to be kept. An
   * unfinished line ends at the gap.
   */
  gap: boolean
}

export interface LogBatch {
  /** Pass it to continue after the last of these lines: none is lost or repeated. */
  cursor: string
  lines: LogLine[]
}

/** Longer lines are cut. */
export const MAX_LOG_LINE_BYTES = 64 * 1024
/** Limit of one order's kept output; the oldest is evicted first. */
export const MAX_LOG_BYTES = 64 * 2 ** 20

const LINE_HEADER_BYTES = 14
const MORE = 1
const CUT = 2
const GAP = 4

/** One byte of the cursor's length, the cursor, then for each line its length, its time, its source, its flags and its bytes. */
export function encodeLogBatch({ cursor, lines }: LogBatch): Uint8Array {
  const head = new TextEncoder().encode(cursor)
  const size = lines.reduce((sum, line) => sum + LINE_HEADER_BYTES + line.bytes.length, 1 + head.length)
  const payload = new Uint8Array(size)
  const view = new DataView(payload.buffer)
  payload[0] = head.length
  payload.set(head, 1)
  let at = 1 + head.length
  for (const line of lines) {
    view.setUint32(at, line.bytes.length)
    view.setFloat64(at + 4, line.time)
    view.setUint8(at + 12, LOG_SOURCES.indexOf(line.source))
    view.setUint8(at + 13, (line.more ? MORE : 0) | (line.cut ? CUT : 0) | (line.gap ? GAP : 0))
    payload.set(line.bytes, at + LINE_HEADER_BYTES)
    at += LINE_HEADER_BYTES + line.bytes.length
  }
  return payload
}

/** Decodes a batch; the bytes of its lines are views of `payload`. Throws AppError `bad_request` for anything but an encoded batch. */
export function decodeLogBatch(payload: Uint8Array): LogBatch {
  const malformed = () => new AppError('bad_request', 'malformed lines of a log')
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length)
  let at = 1 + (payload[0] ?? 0)
  if (at > payload.length) throw malformed()
  const cursor = new TextDecoder().decode(payload.subarray(1, at))
  const lines: LogLine[] = []
  while (at < payload.length) {
    if (at + LINE_HEADER_BYTES > payload.length) throw malformed()
    const length = view.getUint32(at)
    const source = LOG_SOURCES[view.getUint8(at + 12)]
    const flags = view.getUint8(at + 13)
    const end = at + LINE_HEADER_BYTES + length
    if (end > payload.length || source === undefined) throw malformed()
    const bytes = payload.subarray(at + LINE_HEADER_BYTES, end)
    const time = view.getFloat64(at + 4)
    // Not a number fails both comparisons.
    if (!(time >= 0 && time <= MAX_DATE_MS * 1000)) throw malformed()
    lines.push({ time, source, bytes, more: (flags & MORE) > 0, cut: (flags & CUT) > 0, gap: (flags & GAP) > 0 })
    at = end
  }
  return { cursor, lines }
}

const NEWLINE = 0x0a
const SPACE = 0x20
/** The longest piece that is kept in memory: a line of a stranger has no end. Well below what a reader takes at once. */
export const MAX_PIECE_BYTES = 64 * 1024
/** More than a time in front of a line is long. */
const MAX_TIME_BYTES = 64

/** A line of a pod's output, or a piece of one. */
export interface PodLogPiece {
  time: string
  bytes: Buffer
  /** The line ends here. */
  ends: boolean
}

/**
 * The lines of a log that was asked for with times, in pieces of at most 64 KiB, bytes as they are. A line that has no time is left out; the
 * end of the log ends the last one. A stream that breaks off throws after the pieces before.
 */
export async function* splitPodLog(chunks: AsyncIterable<Buffer>): AsyncGenerator<PodLogPiece> {
  let held: Buffer = Buffer.alloc(0)
  /** Of the line that goes on; undefined at the begin of a line, '' while a line without a time passes. */
  let time: string | undefined
  for await (const chunk of chunks) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    let at = 0
    while (at < held.length) {
      const end = held.indexOf(NEWLINE, at)
      const rest = end < 0 ? held.length : end
      if (time === undefined) {
        const space = held.indexOf(SPACE, at)
        const isTime = space > at && space <= rest && space - at <= MAX_TIME_BYTES
        if (!isTime && end < 0 && held.length - at <= MAX_TIME_BYTES) break
        time = isTime ? held.toString('latin1', at, space) : ''
        if (isTime) at = space + 1
      }
      if (end < 0 && held.length - at < MAX_PIECE_BYTES) break
      const to = Math.min(rest, at + MAX_PIECE_BYTES)
      const ends = to === end
      if (time !== '') yield { time, bytes: held.subarray(at, to), ends }
      at = ends ? to + 1 : to
      if (ends) time = undefined
    }
    held = Buffer.from(held.subarray(at))
  }
  if (time) yield { time, bytes: held, ends: true }
}

import type { LogLine } from '@rackfair/protocol/logLines'

/** A position between two lines of a program's output. Segment numbers increase; a missing segment means missing lines. */
export interface LogPosition {
  segment: number
  offset: number
}

export interface PlacedLine extends LogLine {
  /** Where the line's last record ends. While a line of the other output is still open, reading resumes elsewhere: see `position`. */
  end: LogPosition
}

/** Reads forward from its position; holds no more in memory than one read returns. */
export interface LogReader {
  /** Some of the next lines; empty at the end of what was written so far. */
  read(): Promise<PlacedLine[]>
  /** Where the next read begins: everything before it was returned. */
  readonly position: LogPosition
  /** Whether the last read reached the end of what was written so far. */
  readonly atEnd: boolean
  close(): Promise<void>
}

/** One program's output, kept in a ring of files. */
export interface LogSource {
  /** The position `lines` lines before the end, or the oldest; `undefined` means the oldest. */
  before(lines: number | undefined): Promise<LogPosition>
  /** Where what was written so far ends. */
  end(): LogPosition
  /** Reads from a position on; from the oldest line if that position is gone. */
  open(position: LogPosition): LogReader
}

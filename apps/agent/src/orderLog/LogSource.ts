import type { LogLine } from '@rackfair/core'

/** A place between two lines of what one program wrote. Segments have rising numbers; where one is missing, lines are. */
export interface LogPosition {
  segment: number
  offset: number
}

export interface PlacedLine extends LogLine {
  /** Where its last record ends. While another line is open, as two outputs can be, reading goes on elsewhere: see `position`. */
  end: LogPosition
}

/** Reads on from where it stands; nothing is held in memory but what one read answers. */
export interface LogReader {
  /** Some of the next lines, none at the end of what was written so far. */
  read(): Promise<PlacedLine[]>
  /** Where the next read begins: everything before it was answered. */
  readonly position: LogPosition
  /** The last read came to the end of what was written so far. */
  readonly atEnd: boolean
  close(): Promise<void>
}

/** What one program wrote, in a ring. */
export interface LogSource {
  /** So many lines before the end, or the oldest; `undefined` is the oldest. */
  before(lines: number | undefined): Promise<LogPosition>
  /** Where what was written so far ends. */
  end(): LogPosition
  /** Reads from a place on; from the oldest line where that is gone. */
  open(position: LogPosition): LogReader
}

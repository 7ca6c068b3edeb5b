import { readdirSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { LogPosition, LogReader, LogSource, PlacedLine } from './LogSource.ts'
import { createLineAssembler, endsLine } from './lineAssembler.ts'

/** A read fits into one frame of a stream, together with some lines of the agent. */
const READ_BYTES = 192 * 1024
const NEWLINE = 0x0a
const MAX_TRIES = 100
/** Upper bound for the header of a record: time, stream, and line-end flag. */
const RECORD_HEADER_BYTES = 64
const SUFFIX = '.log'

export const segmentFile = (folder: string, segment: number): string => join(folder, `${segment}${SUFFIX}`)

/** The segment numbers in a folder, oldest first. */
export function listSegments(folder: string): number[] {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  return names
    .filter((name) => /^\d{1,16}\.log$/.test(name))
    .map((name) => Number(name.slice(0, -SUFFIX.length)))
    .sort((a, b) => a - b)
}

/**
 * Reads output kept in numbered append-only files; a file is complete once there is a next one. `refresh` is called before each lookup and
 * updates the list of files.
 */
export function createSegmentSource(folder: string, refresh: () => void = () => {}): LogSource {
  const segments = () => {
    refresh()
    return listSegments(folder)
  }

  return {
    async before(lines) {
      const all = segments()
      const oldest: LogPosition = { segment: all[0] ?? 0, offset: 0 }
      let left = lines
      if (left === undefined) return oldest
      for (const segment of all.reverse()) {
        const size = statSync(segmentFile(folder, segment), { throwIfNoEntry: false })?.size ?? 0
        const found = await offsetBefore(segmentFile(folder, segment), size, left)
        if (found.offset !== undefined) return { segment, offset: found.offset }
        left -= found.lines
      }
      return oldest
    },

    end() {
      const segment = segments().at(-1) ?? 0
      return { segment, offset: statSync(segmentFile(folder, segment), { throwIfNoEntry: false })?.size ?? 0 }
    },

    open: (position) => createReader(folder, segments, position),
  }
}

/** Goes back `lines` lines from `end`; `offset` is undefined if the file has fewer, and `lines` then says how many it has. */
async function offsetBefore(file: string, end: number, lines: number): Promise<{ offset: number | undefined; lines: number }> {
  const handle = await open(file, 'r').catch(() => undefined)
  if (!handle) return { offset: undefined, lines: 0 }
  try {
    const buffer = Buffer.alloc(READ_BYTES + RECORD_HEADER_BYTES)
    let seen = 0
    let following = end
    // The last record may still be being written.
    let isComplete = false
    for (let to = end, kept = 0; to > 0; ) {
      const from = Math.max(0, to - READ_BYTES)
      // Keep the head of the previous chunk: a record may begin in this chunk and continue in that one.
      buffer.copyWithin(to - from, 0, kept)
      const { bytesRead } = await handle.read(buffer, 0, to - from, from)
      if (to === end) isComplete = buffer[bytesRead - 1] === NEWLINE
      for (let at = bytesRead - 1; at >= (from === 0 ? -1 : 0); at -= 1) {
        if (at >= 0 && buffer[at] !== NEWLINE) continue
        const begin = from + at + 1
        if (begin === end) continue
        if (isComplete && endsLine(buffer.subarray(at + 1, bytesRead + kept))) {
          if (seen === lines) return { offset: following, lines: seen }
          seen += 1
        }
        isComplete = true
        following = begin
      }
      kept = Math.min(RECORD_HEADER_BYTES, bytesRead)
      to = from
    }
    return { offset: undefined, lines: seen }
  } finally {
    await handle.close()
  }
}

function createReader(folder: string, segments: () => number[], start: LogPosition): LogReader {
  let assembler = createLineAssembler()
  const buffer = Buffer.alloc(READ_BYTES)
  let position = start
  let handle: FileHandle | undefined
  let atEnd = false
  let gap = false

  /** Discards unfinished lines: nothing after a gap continues them. */
  const markGap = () => {
    gap = true
    assembler = createLineAssembler()
  }

  const openFile = async (segment: number): Promise<FileHandle | undefined> => {
    await handle?.close()
    handle = await open(segmentFile(folder, segment), 'r').catch(() => undefined)
    return handle
  }

  /** Opens the file of the position, or the next one, unless it has just been removed. False if there is none. */
  const settle = async (): Promise<boolean> => {
    if (handle) return true
    const all = segments()
    const { segment, offset } = position
    if (all.includes(segment)) {
      const file = await openFile(segment)
      if (file && offset <= (await file.stat()).size) return true
    }
    const next = all.find((one) => one > segment) ?? all[0]
    if (next === undefined) return false
    if (segment > 0) markGap()
    position = { segment: next, offset: 0 }
    await openFile(next)
    return true
  }

  /** Moves on from the end of a file that has a successor. */
  const moveOn = async (next: number) => {
    if (next !== position.segment + 1) markGap()
    position = { segment: next, offset: 0 }
    await openFile(next)
  }

  /** Fills the buffer from the position on; returns the number of bytes, 0 after the last file. */
  const fill = async (): Promise<number> => {
    while (handle) {
      // Checked first: the read then includes everything written before the next file was started.
      const next = segments().find((one) => one > position.segment)
      const { bytesRead } = await handle.read(buffer, 0, READ_BYTES, position.offset)
      const isWhole = bytesRead === READ_BYTES || buffer.subarray(0, bytesRead).includes(NEWLINE)
      if (isWhole) return bytesRead
      if (next === undefined) return 0
      // An incomplete record, such as after a crash of the machine.
      await moveOn(next)
    }
    return 0
  }

  return {
    get position() {
      return position
    },
    get atEnd() {
      return atEnd
    },

    async read() {
      let bytes = 0
      // A writer faster than this reader removes files between listing and opening them.
      for (let tries = 0; tries < MAX_TRIES && (await settle()); tries += 1) {
        bytes = await fill()
        if (handle) break
      }
      atEnd = bytes < READ_BYTES
      const lines: PlacedLine[] = []
      const add = (line: Omit<PlacedLine, 'end'>, offset: number) => {
        lines.push({ ...line, gap, end: { segment: position.segment, offset } })
        gap = false
      }
      const chunk = Buffer.from(buffer.subarray(0, bytes))
      let at = 0
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, at)) {
        const line = assembler.add(chunk.subarray(at, end))
        at = end + 1
        if (line) add(line, position.offset + at)
      }
      // No valid record is that long.
      if (at === 0 && bytes === READ_BYTES) at = bytes
      for (const line of assembler.flush()) add(line, position.offset + at)
      position = { segment: position.segment, offset: position.offset + at }
      if (bytes > 0 && bytes < READ_BYTES) atEnd = segments().every((one) => one <= position.segment)
      return lines
    },

    async close() {
      await handle?.close()
      handle = undefined
    },
  }
}

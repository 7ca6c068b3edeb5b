import { readdirSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { LogPosition, LogReader, LogSource, PlacedLine } from './LogSource.ts'
import { createLineAssembler, endsLine } from './lineAssembler.ts'

/** A read fits into one frame of a stream, beside some lines of the agent. */
const READ_BYTES = 192 * 1024
const NEWLINE = 0x0a
const MAX_TRIES = 100
/** More than there is in front of what was written: time, stream, and whether it ends a line. */
const RECORD_HEADER_BYTES = 64
const SUFFIX = '.log'

export const segmentFile = (folder: string, segment: number): string => join(folder, `${segment}${SUFFIX}`)

/** The numbers of the segments in a folder, the oldest first. */
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
 * Reads what is kept in numbered files, each written at its end only until there is a next one. `refresh` is called before anything is
 * looked for, and brings the list of files up to date.
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

/** Goes back from `end` over so many lines; `offset` is undefined where the file has no more, and `lines` says how many it has. */
async function offsetBefore(file: string, end: number, lines: number): Promise<{ offset: number | undefined; lines: number }> {
  const handle = await open(file, 'r').catch(() => undefined)
  if (!handle) return { offset: undefined, lines: 0 }
  try {
    const buffer = Buffer.alloc(READ_BYTES + RECORD_HEADER_BYTES)
    let seen = 0
    let following = end
    for (let to = end, kept = 0; to > 0; ) {
      const from = Math.max(0, to - READ_BYTES)
      // The head of what was read before: a record may begin here and go on there.
      buffer.copyWithin(to - from, 0, kept)
      const { bytesRead } = await handle.read(buffer, 0, to - from, from)
      for (let at = bytesRead - 1; at >= (from === 0 ? -1 : 0); at -= 1) {
        if (at >= 0 && buffer[at] !== NEWLINE) continue
        const begin = from + at + 1
        if (begin === end) continue
        if (endsLine(buffer.subarray(at + 1, bytesRead + kept))) {
          if (seen === lines) return { offset: following, lines: seen }
          seen += 1
        }
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

  /** What was open before belongs to nothing that comes now. */
  const markGap = () => {
    gap = true
    assembler = createLineAssembler()
  }

  const openFile = async (segment: number): Promise<FileHandle | undefined> => {
    await handle?.close()
    handle = await open(segmentFile(folder, segment), 'r').catch(() => undefined)
    return handle
  }

  /** Opens the file of the position, or the one that comes after it, unless that has just gone. False where there is none. */
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

  /** At the end of a file that has a next one. */
  const moveOn = async (next: number) => {
    if (next !== position.segment + 1) markGap()
    position = { segment: next, offset: 0 }
    await openFile(next)
  }

  /** Fills the buffer from the position on; answers how much of it there is, after the last file nothing. */
  const fill = async (): Promise<number> => {
    while (handle) {
      // Looked for first: then what is read is all that was written before the next file was begun.
      const next = segments().find((one) => one > position.segment)
      const { bytesRead } = await handle.read(buffer, 0, READ_BYTES, position.offset)
      const isWhole = bytesRead === READ_BYTES || buffer.subarray(0, bytesRead).includes(NEWLINE)
      if (isWhole) return bytesRead
      if (next === undefined) return 0
      // A record that the machine did not finish writing.
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
      // A writer faster than this reader takes files away between listing and opening them.
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
      // No record is that long.
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

import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { z } from 'zod'

/** So large that a request for each costs nothing, so small that one large layer comes over several connections. */
export const PART_BYTES = 16 * 2 ** 20

/** A stretch of a blob that one request fetches: bytes `from` to before `to`, of which those before `at` are there. */
export interface Part {
  from: number
  to: number
  at: number
}

const journal = z.array(z.number().int().min(0))

/**
 * A file that is written at several places at once. Beside it lies how far each part is, so that whatever ended the agent, what was
 * written before the last `note` is not fetched again; a file without it is whole as far as it goes.
 */
export function openBlobFile(path: string, size: number) {
  const notes = `${path}.parts`
  if (size === 0) writeFileSync(path, '', { mode: 0o600 })
  const parts = partsOf(path, notes, size)
  let opened: Promise<FileHandle> | undefined
  const openAndNote = () => {
    note()
    return open(path, existsSync(path) ? 'r+' : 'w', 0o600)
  }

  const note = () => {
    writeFileSync(`${notes}.new`, JSON.stringify(parts.map(({ from, at }) => at - from)), { mode: 0o600 })
    renameSync(`${notes}.new`, notes)
  }
  return {
    path,
    size,
    parts,
    /** How many of its bytes are there. */
    bytes: () => parts.reduce((sum, { from, at }) => sum + at - from, 0),
    /** How many of them from the first one on. */
    front: () => {
      const part = parts.find(({ at, to }) => at < to)
      return part ? part.at : size
    },
    missing: () => parts.filter(({ at, to }) => at < to),
    note,

    /** Appends to a part. */
    async write(part: Part, chunk: Buffer): Promise<void> {
      opened ??= openAndNote()
      await (await opened).write(chunk, 0, chunk.length, part.at)
      part.at += chunk.length
    },

    /** Begins anew with all of it as one part. */
    restart(): Part {
      const whole = { from: 0, to: size, at: 0 }
      parts.splice(0, parts.length, whole)
      return whole
    },

    /** After the last write. */
    async close(): Promise<void> {
      await (await opened)?.close()
      if (parts.every(({ at, to }) => at === to)) rmSync(notes, { force: true })
      else if (opened) note()
    },
  }
}
export type BlobFile = ReturnType<typeof openBlobFile>

function partsOf(path: string, notes: string, size: number): Part[] {
  const have = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  const noted = have > 0 && have <= size ? notedIn(notes) : undefined
  if (have > size) rmSync(path)
  if (noted?.length === 1) return [{ from: 0, to: size, at: Math.min(noted[0] ?? 0, size) }]
  const before = have > size ? 0 : have
  return Array.from({ length: Math.ceil(size / PART_BYTES) }, (_, index) => {
    const from = index * PART_BYTES
    const to = Math.min(from + PART_BYTES, size)
    return { from, to, at: noted ? Math.min(from + (noted[index] ?? 0), to) : Math.min(Math.max(before, from), to) }
  })
}

function notedIn(file: string): number[] | undefined {
  try {
    return journal.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    // None, or half of one: what lies beside it counts as one stretch.
    return undefined
  }
}

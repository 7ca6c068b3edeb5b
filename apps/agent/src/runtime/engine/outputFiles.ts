import { linkSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_LOG_BYTES } from '@rackfair/protocol/logLines'
import type { LogSource } from '../output/LogSource.ts'
import { createSegmentSource, listSegments, segmentFile } from '../output/segments.ts'

/** The engine begins a new file at this size and drops the one before: what holds it then is our link alone. */
export const OUTPUT_FILE_BYTES = 16 * 2 ** 20
/** Of each of several services, which together keep as much as one container does. */
export const outputFileBytes = (services = 1): number => Math.ceil(OUTPUT_FILE_BYTES / services)
const KEPT_FILES = MAX_LOG_BYTES / OUTPUT_FILE_BYTES
/** The engine's logger needs longer than this to fill a file, also with a program that does nothing else. */
const POLL_INTERVAL_MS = 100

const current = (folder: string) => join(folder, 'current')

/**
 * Keeps what the containers of the orders write as a ring of files, without copying a byte. The engine's logger writes one file, and at
 * its limit renames a new one over it; each file it writes has a second name here, a number, so that the last ones stay. The logger
 * outlives the agent, and a file that came while none ran is found at the next start.
 */
export function createOutputFiles(root: string) {
  /** Of one of several services, below that of their order. */
  const folderOf = (orderId: bigint, service?: string) => join(root, String(orderId), service ?? '')
  /** The inode of the file that has its number, by folder. */
  const seen = new Map<string, bigint>()

  /** Gives the file that is written now its number. A number is left out where a file in between was missed. */
  const keep = (folder: string): void => {
    const file = statSync(current(folder), { bigint: true, throwIfNoEntry: false })
    if (!file || seen.get(folder) === file.ino) return
    const segments = listSegments(folder)
    const newest = segments.at(-1)
    let segment: number
    if (newest === undefined) segment = Date.now()
    else {
      const before = statSync(segmentFile(folder, newest), { bigint: true })
      if (before.ino === file.ino) {
        seen.set(folder, file.ino)
        return
      }
      // The rename that dropped the file before is its last change; a file that was made after that came later than the next one.
      const isNext = file.birthtimeNs <= before.ctimeNs
      segment = newest + (isNext ? 1 : 2)
    }
    try {
      linkSync(current(folder), segmentFile(folder, segment))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      // A file that is renamed over while it is linked has no name left, and cannot get one: the one that took its place can.
      keep(folder)
      return
    }
    const linked = statSync(segmentFile(folder, segment), { bigint: true })
    // It was renamed over between the two: this is already a later one, which may have been given the number of the removed inode.
    if (linked.ino !== file.ino || linked.birthtimeNs !== file.birthtimeNs)
      renameSync(segmentFile(folder, segment), segmentFile(folder, segment + 1))
    seen.set(folder, linked.ino)
    for (const old of segments.slice(0, Math.max(0, segments.length + 1 - KEPT_FILES)))
      rmSync(segmentFile(folder, old), { force: true })
  }

  const keepAll = () => {
    for (const folder of seen.keys()) {
      try {
        keep(folder)
      } catch {
        // It was renamed or removed meanwhile: the next poll handles it.
      }
    }
  }
  const timer = setInterval(keepAll, POLL_INTERVAL_MS)
  timer.unref()

  return {
    /** The file that the engine should write an order's output to. It is polled from now on. */
    prepare(orderId: bigint, service?: string): string {
      const folder = folderOf(orderId, service)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      if (!seen.has(folder)) seen.set(folder, 0n)
      return current(folder)
    },

    source(orderId: bigint, service?: string): LogSource {
      const folder = folderOf(orderId, service)
      return createSegmentSource(folder, () => keep(folder))
    },

    remove(orderId: bigint): void {
      const folder = folderOf(orderId)
      for (const one of seen.keys()) if (one === folder || one.startsWith(`${folder}/`)) seen.delete(one)
      rmSync(folderOf(orderId), { recursive: true, force: true })
    },

    close: () => clearInterval(timer),
  }
}

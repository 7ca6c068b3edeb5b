import { linkSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_LOG_BYTES } from '@rackfair/protocol/logLines'
import type { LogSource } from '../output/LogSource.ts'
import { createSegmentSource, listSegments, segmentFile } from '../output/segments.ts'

/** The engine begins a new file at this size and drops the one before: what holds it then is our link alone. */
export const OUTPUT_FILE_BYTES = 16 * 2 ** 20
const KEPT_FILES = MAX_LOG_BYTES / OUTPUT_FILE_BYTES
/** The engine's logger needs longer than this to fill a file, also with a program that does nothing else. */
const POLL_INTERVAL_MS = 100

/**
 * Keeps what the containers of the orders write as a ring of files, without copying a byte. The engine's logger writes one file, and at
 * its limit renames a new one over it; each file it writes has a second name here, a number, so that the last ones stay. The logger
 * outlives the agent, and a file that came while none ran is found at the next start.
 */
export function createOutputFiles(root: string) {
  const folderOf = (orderId: bigint) => join(root, String(orderId))
  const current = (orderId: bigint) => join(folderOf(orderId), 'current')
  /** The inode of the file that has its number, by order. */
  const seen = new Map<bigint, bigint>()

  /** Gives the file that is written now its number. A number is left out where a file in between was missed. */
  const keep = (orderId: bigint): void => {
    const file = statSync(current(orderId), { bigint: true, throwIfNoEntry: false })
    if (!file || seen.get(orderId) === file.ino) return
    const folder = folderOf(orderId)
    const segments = listSegments(folder)
    const newest = segments.at(-1)
    let segment: number
    if (newest === undefined) segment = Date.now()
    else {
      const before = statSync(segmentFile(folder, newest), { bigint: true })
      if (before.ino === file.ino) {
        seen.set(orderId, file.ino)
        return
      }
      // The rename that dropped the file before is its last change; a file that was made after that came later than the next one.
      const isNext = file.birthtimeNs <= before.ctimeNs
      segment = newest + (isNext ? 1 : 2)
    }
    try {
      linkSync(current(orderId), segmentFile(folder, segment))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      // A file that is renamed over while it is linked has no name left, and cannot get one: the one that took its place can.
      keep(orderId)
      return
    }
    const linked = statSync(segmentFile(folder, segment), { bigint: true })
    // It was renamed over between the two: this is already a later one, which may have been given the number of the removed inode.
    if (linked.ino !== file.ino || linked.birthtimeNs !== file.birthtimeNs)
      renameSync(segmentFile(folder, segment), segmentFile(folder, segment + 1))
    seen.set(orderId, linked.ino)
    for (const old of segments.slice(0, Math.max(0, segments.length + 1 - KEPT_FILES)))
      rmSync(segmentFile(folder, old), { force: true })
  }

  const keepAll = () => {
    for (const orderId of seen.keys()) {
      try {
        keep(orderId)
      } catch {
        // It was renamed or removed meanwhile: the next poll handles it.
      }
    }
  }
  const timer = setInterval(keepAll, POLL_INTERVAL_MS)
  timer.unref()

  return {
    /** The file that the engine should write an order's output to. It is polled from now on. */
    prepare(orderId: bigint): string {
      mkdirSync(folderOf(orderId), { recursive: true, mode: 0o700 })
      if (!seen.has(orderId)) seen.set(orderId, 0n)
      return current(orderId)
    },

    source: (orderId: bigint): LogSource => createSegmentSource(folderOf(orderId), () => keep(orderId)),

    remove(orderId: bigint): void {
      seen.delete(orderId)
      rmSync(folderOf(orderId), { recursive: true, force: true })
    },

    close: () => clearInterval(timer),
  }
}

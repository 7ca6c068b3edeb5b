import { appendFileSync, closeSync, mkdirSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../foundation/log.ts'
import { reasonOf } from '../foundation/reasonOf.ts'
import type { LogSource } from '../runtime/output/LogSource.ts'
import { createSegmentSource, listSegments, segmentFile } from '../runtime/output/segments.ts'

const FILE_BYTES = 256 * 1024
const KEPT_FILES = 4
const MAX_NOTE_BYTES = 4096

export type OrderNotes = ReturnType<typeof createOrderNotes>

/**
 * The agent's own lines in an order's log, beside the application's output: in the same format but in a separate ring, so that an
 * application that writes endlessly does not evict the reason why it was ended.
 */
export function createOrderNotes(root: string, { now = Date.now, log }: { now?: () => number; log: Log }) {
  const folderOf = (orderId: bigint) => join(root, String(orderId))

  const newest = (orderId: bigint): { file: string; size: number } => {
    const folder = folderOf(orderId)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const segments = listSegments(folder)
    const last = segments.at(-1)
    const size = last === undefined ? 0 : statSync(segmentFile(folder, last)).size
    if (last !== undefined && size < FILE_BYTES) return { file: segmentFile(folder, last), size }
    for (const old of segments.slice(0, Math.max(0, segments.length + 1 - KEPT_FILES)))
      rmSync(segmentFile(folder, old), { force: true })
    return { file: segmentFile(folder, last === undefined ? now() : last + 1), size: 0 }
  }

  return {
    /**
     * Adds a line. With `at` (Unix milliseconds) it belongs to an event: an immediate repeat, such as after a restart of the agent, is kept
     * once. Never throws: no step of an order may fail because its log cannot be written.
     */
    add(orderId: bigint, text: string, at?: number): void {
      try {
        const time = new Date(at ?? now()).toISOString()
        const oneLine = Buffer.from(text.replaceAll(/[\r\n]+/g, ' ')).subarray(0, MAX_NOTE_BYTES)
        const record = Buffer.concat([Buffer.from(`${time} agent F `), oneLine, Buffer.from('\n')])
        const { file, size } = newest(orderId)
        if (at !== undefined && endsWith(file, size, record)) return
        appendFileSync(file, record, { mode: 0o600 })
      } catch (error) {
        log.warn('the log of an order cannot be written', { orderId: String(orderId), reason: reasonOf(error) })
      }
    },

    source: (orderId: bigint): LogSource => createSegmentSource(folderOf(orderId)),

    remove: (orderId: bigint): void => rmSync(folderOf(orderId), { recursive: true, force: true }),
  }
}

function endsWith(file: string, size: number, record: Buffer): boolean {
  if (size < record.length) return false
  const handle = openSync(file, 'r')
  try {
    const end = Buffer.alloc(record.length)
    readSync(handle, end, 0, record.length, size - record.length)
    return end.equals(record)
  } finally {
    closeSync(handle)
  }
}

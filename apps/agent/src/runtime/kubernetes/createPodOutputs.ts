import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { MAX_LOG_BYTES } from '@rackfair/protocol/logLines'
import type { LogSource } from '../output/LogSource.ts'
import { createSegmentSource, listSegments, segmentFile } from '../output/segments.ts'
import type { ClusterClient } from './clusterClient.ts'
import { APP, partName } from './names.ts'
import { splitPodLog } from './splitPodLog.ts'

const SEGMENT_BYTES = 16 * 2 ** 20
const KEPT_SEGMENTS = MAX_LOG_BYTES / SEGMENT_BYTES
const RETRY_MS = 1000
const TAIL_BYTES = 128 * 1024
const NOTHING_OPEN = { time: '', bytes: 0 }
const END_OF_RECORD = Buffer.from('\n')

/**
 * Keeps what the pods of the orders write as a ring of files: a node forgets a pod's output with the pod. Followed from where the last
 * line left off, also by the next agent; what a pod wrote of which the node kept nothing is lost.
 */
export function createPodOutputs(cluster: Pick<ClusterClient, 'follow'>, root: string) {
  const folderOf = (orderId: bigint, service?: string) =>
    join(root, [orderId, service].filter((one) => one !== undefined).join('.'))
  /** By their folder. */
  const followed = new Map<string, { start: string; abort: AbortController }>()

  const stop = (folder: string): void => {
    followed.get(folder)?.abort.abort()
    followed.delete(folder)
  }

  return {
    /** Follows the output of a pod that has started; saying it again changes nothing. */
    follow(orderId: bigint, namespace: string, start: string, service?: string): void {
      const folder = folderOf(orderId, service)
      if (followed.get(folder)?.start === start) return
      stop(folder)
      const abort = new AbortController()
      followed.set(folder, { start, abort })
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      void followPod(cluster, namespace, partName(service), folder, abort.signal).finally(() => {
        if (followed.get(folder)?.abort === abort) followed.delete(folder)
      })
    },
    source: (orderId: bigint, service?: string): LogSource => createSegmentSource(folderOf(orderId, service)),
    /** Of all services. */
    remove(orderId: bigint): void {
      const ofOrder = (folder: string) => basename(folder).split('.')[0] === String(orderId)
      for (const folder of followed.keys()) if (ofOrder(folder)) stop(folder)
      for (const name of existsSync(root) ? readdirSync(root) : [])
        if (ofOrder(name)) rmSync(join(root, name), { recursive: true, force: true })
    },
    close(): void {
      for (const folder of [...followed.keys()]) stop(folder)
    },
  }
}

/** Until the pod has ended, or nobody asks any more. */
async function followPod(
  cluster: Pick<ClusterClient, 'follow'>,
  namespace: string,
  container: string,
  folder: string,
  signal: AbortSignal,
) {
  let ring: ReturnType<typeof openRing> | undefined
  let last: string | undefined
  /** What is kept of a line that has not ended: it comes again from its begin. */
  let open = NOTHING_OPEN
  while (!signal.aborted) {
    try {
      if (!ring) [ring, last] = [openRing(folder), lastTime(folder)]
      const since = last === undefined ? '' : `&sinceTime=${encodeURIComponent(last)}`
      const path = `/api/v1/namespaces/${namespace}/pods/${APP}/log?container=${container}&follow=true&timestamps=true${since}`
      let seen = 0
      for await (const { time, bytes, ends } of splitPodLog(await cluster.follow(path, signal))) {
        // The cluster answers from the whole second on.
        if (last !== undefined && time <= last) continue
        const known = time === open.time ? Math.min(bytes.length, Math.max(0, open.bytes - seen)) : 0
        seen = ends ? 0 : seen + bytes.length
        if (!ends && known === bytes.length) continue
        ring.append(`${time} stdout ${ends ? 'F' : 'P'} `, bytes.subarray(known))
        if (ends) last = time
        open = ends ? NOTHING_OPEN : { time, bytes: seen }
      }
      return
    } catch {
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

/** Files of 16 MiB, the oldest of which goes with each new one. */
function openRing(folder: string) {
  const segments = listSegments(folder)
  let size = sizeOf(folder, segments.at(-1))
  return {
    append(head: string, bytes: Buffer): void {
      const newest = segments.at(-1)
      if (newest === undefined || size >= SEGMENT_BYTES) {
        segments.push(newest === undefined ? Date.now() : newest + 1)
        size = 0
        for (const old of segments.splice(0, Math.max(0, segments.length - KEPT_SEGMENTS)))
          rmSync(segmentFile(folder, old), { force: true })
      }
      const record = Buffer.concat([Buffer.from(head), bytes, END_OF_RECORD])
      appendFileSync(segmentFile(folder, segments.at(-1) as number), record)
      size += record.length
    },
  }
}

const sizeOf = (folder: string, segment: number | undefined): number =>
  segment === undefined ? 0 : (statSync(segmentFile(folder, segment), { throwIfNoEntry: false })?.size ?? 0)

/** The time of the last line that is kept. */
function lastTime(folder: string): string | undefined {
  const segment = listSegments(folder).at(-1)
  if (segment === undefined) return undefined
  const file = segmentFile(folder, segment)
  const { size } = statSync(file)
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES))
  const handle = openSync(file, 'r')
  readSync(handle, tail, 0, tail.length, size - tail.length)
  closeSync(handle)
  return tail.toString('latin1').trimEnd().split('\n').at(-1)?.split(' ')[0]
}

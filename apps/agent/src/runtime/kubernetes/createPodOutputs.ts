import { appendFileSync, closeSync, mkdirSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { MAX_LOG_BYTES } from '@rackfair/core'
import type { LogSource } from '../../orderLog/LogSource.ts'
import { createSegmentSource, listSegments, segmentFile } from '../../orderLog/segments.ts'
import type { ClusterClient } from './clusterClient.ts'
import { APP } from './names.ts'

const SEGMENT_BYTES = 16 * 2 ** 20
const KEPT_SEGMENTS = MAX_LOG_BYTES / SEGMENT_BYTES
const RETRY_MS = 1000
const TAIL_BYTES = 128 * 1024

/**
 * Keeps what the pods of the orders write as a ring of files: a node forgets a pod's output with the pod. Followed from where the last
 * line left off, also by the next agent; what a pod wrote of which the node kept nothing is lost.
 */
export function createPodOutputs(cluster: Pick<ClusterClient, 'follow'>, root: string) {
  const folderOf = (orderId: bigint) => join(root, String(orderId))
  const followed = new Map<bigint, { start: string; abort: AbortController }>()

  const stop = (orderId: bigint): void => {
    followed.get(orderId)?.abort.abort()
    followed.delete(orderId)
  }

  return {
    /** Follows the output of a pod that has started; saying it again changes nothing. */
    follow(orderId: bigint, namespace: string, start: string): void {
      if (followed.get(orderId)?.start === start) return
      stop(orderId)
      const abort = new AbortController()
      followed.set(orderId, { start, abort })
      const folder = folderOf(orderId)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      void followPod(cluster, namespace, folder, abort.signal).finally(() => {
        if (followed.get(orderId)?.abort === abort) followed.delete(orderId)
      })
    },
    source: (orderId: bigint): LogSource => createSegmentSource(folderOf(orderId)),
    remove(orderId: bigint): void {
      stop(orderId)
      rmSync(folderOf(orderId), { recursive: true, force: true })
    },
    close(): void {
      for (const orderId of [...followed.keys()]) stop(orderId)
    },
  }
}

/** Until the pod has ended, or nobody asks any more. */
async function followPod(cluster: Pick<ClusterClient, 'follow'>, namespace: string, folder: string, signal: AbortSignal) {
  let last = lastTime(folder)
  while (!signal.aborted) {
    const since = last === undefined ? '' : `&sinceTime=${encodeURIComponent(last)}`
    const path = `/api/v1/namespaces/${namespace}/pods/${APP}/log?container=${APP}&follow=true&timestamps=true${since}`
    try {
      for await (const line of createInterface({ input: await cluster.follow(path, signal) })) {
        const space = line.indexOf(' ')
        const time = line.slice(0, space)
        // The cluster answers from the whole second on.
        if (space < 0 || (last !== undefined && time <= last)) continue
        append(folder, `${time} stdout F ${line.slice(space + 1)}\n`)
        last = time
      }
      return
    } catch {
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

function append(folder: string, record: string): void {
  const segments = listSegments(folder)
  let segment = segments.at(-1) ?? Date.now()
  if ((statSync(segmentFile(folder, segment), { throwIfNoEntry: false })?.size ?? 0) >= SEGMENT_BYTES) {
    segment += 1
    for (const old of segments.slice(0, Math.max(0, segments.length + 1 - KEPT_SEGMENTS)))
      rmSync(segmentFile(folder, old), { force: true })
  }
  appendFileSync(segmentFile(folder, segment), record)
}

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

import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { AppError } from '@rackfair/rules/errors/AppError'
import { diskFull, saysDiskFull } from '../../foundation/diskFull.ts'
import type { UnpackAnswer, UnpackProblem, UnpackQuestion } from './unpackProcess.ts'

/** A layer of an image, and where it is put. */
export interface PackedLayer {
  /** Its bytes as they travelled: all of them, or on their way. */
  file: string
  size: number
  digest: string
  diffId: string
  /** An empty folder. */
  folder: string
}

export interface UnpackLimits {
  /** Of all layers together, unpacked. */
  maxBytes: number
  /** The host that the layers come from, for errors. */
  registry: string
  /** Puts the process where it uses up what an order has, and nothing else. */
  confine?: ((pid: number) => void) | undefined
}

/** Files, folders and links of one image, in all its layers: the inodes of the machine's disk are everybody's. */
const MAX_ENTRIES = 2_000_000

/** Unpacks the layers of an image in a process of its own. */
export function startUnpacking({ maxBytes, registry, confine }: UnpackLimits) {
  const child = fork(fileURLToPath(new URL('./unpackProcess.ts', import.meta.url)), [], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // A group of its own, which ends at once.
    detached: true,
    execArgv: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=1'],
  })
  const waiting = new Map<number, { resolve: (bytes: number) => void; reject: (error: Error) => void }>()
  let ended: AppError | undefined
  const end = (error: AppError) => {
    ended ??= error
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  const gone = () => end(killed())
  child.on('error', gone)
  child.on('exit', gone)
  child.on('message', (answer: UnpackAnswer) => {
    const one = waiting.get(answer.layer)
    waiting.delete(answer.layer)
    if ('unpackedBytes' in answer) one?.resolve(answer.unpackedBytes)
    else one?.reject(unpackError(answer, registry))
  })
  const ask = (question: UnpackQuestion) => {
    if (child.connected) child.send(question, () => {})
  }
  if (child.pid !== undefined) confine?.(child.pid)
  ask({ maxBytes, maxEntries: MAX_ENTRIES })
  let count = 0
  return {
    /**
     * Unpacks a layer and answers how many bytes it has then; `there` is to be called as its file grows. Throws `registry_unreachable` for
     * one that is not what was announced, `image_too_large`, `image_missing` for one that is no archive, `disk_full`.
     */
    unpack(layer: PackedLayer): { done: Promise<number>; there: (bytes: number) => void } {
      const number = count
      count += 1
      const done = new Promise<number>((resolve, reject) => {
        if (ended) return reject(ended)
        waiting.set(number, { resolve, reject })
      })
      ask({ layer: number, ...layer })
      return { done, there: (bytes) => ask({ layer: number, there: bytes }) }
    },
    /** Resolves once nothing is written any more. */
    async close(): Promise<void> {
      const exited = child.exitCode !== null || child.signalCode !== null || child.pid === undefined
      const exit = exited ? undefined : new Promise((resolve) => child.once('exit', resolve))
      try {
        if (!exited) process.kill(-(child.pid as number), 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
      await exit
    },
  }
}

const killed = (): AppError =>
  new AppError(
    'image_too_large',
    'the image cannot be unpacked with the memory of this order; nothing of it is kept: use a smaller image or a larger machine',
  )

/** The error of a layer that cannot be had from `registry`. */
export function unpackError({ problem, reason }: { problem: UnpackProblem; reason: string }, registry: string): AppError {
  if (saysDiskFull(reason)) return diskFull('the image cannot be kept', reason)
  if (problem === 'killed') return killed()
  if (problem === 'room') return new AppError('image_too_large', 'the image unpacks to more than may be kept of it')
  if (problem === 'ratio')
    return new AppError('image_too_large', `a layer of the image unpacks to more than ${reason} times its size`)
  if (problem === 'archive' && /too many entries/.test(reason))
    return new AppError('image_too_large', `the image has more than ${MAX_ENTRIES} files`)
  if (problem === 'archive')
    return new AppError(
      'image_missing',
      'the image cannot be imported: one of its layers is no archive of files, or damaged; build and push the image again',
      { cause: reason, retryable: true },
    )
  return new AppError('registry_unreachable', `${registry} sent a layer that cannot be unpacked, or another than was asked for`, {
    cause: reason,
    retryable: true,
  })
}

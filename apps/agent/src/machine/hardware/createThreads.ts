import { Worker } from 'node:worker_threads'
import { PART_LEAVES } from '@rackfair/hardware/hashTree'
import type { RowMemory } from '@rackfair/hardware/product'
import { makePart, type RoundPart } from './makePart.ts'

/** Spreads rounds over `count` threads; with one, the calling thread makes them itself. */
export function createThreads(count: number) {
  const threads =
    count < 2 ? [] : Array.from({ length: count }, () => new Worker(new URL('./rowThread.ts', import.meta.url), { stdout: true }))
  const run = (thread: Worker, message: unknown): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = (error?: unknown) => {
        thread.off('error', end)
        thread.off('message', done)
        if (error) reject(error)
        else resolve()
      }
      const done = () => end()
      thread.on('error', end)
      thread.on('message', done)
      thread.postMessage(message)
    })
  return {
    async make(memory: RowMemory, nodes: Uint8Array<SharedArrayBuffer>, round: Omit<RoundPart, 'from' | 'to'>): Promise<void> {
      const { rowsPerRound } = round
      if (threads.length === 0 || rowsPerRound <= PART_LEAVES)
        return makePart(memory, nodes, { ...round, from: 0, to: rowsPerRound })
      // Each part starts at a multiple of the subtree that a thread can build alone.
      const share = Math.ceil(rowsPerRound / threads.length / PART_LEAVES) * PART_LEAVES
      await Promise.all(
        threads.map((thread, index) => {
          const [from, to] = [index * share, Math.min(rowsPerRound, (index + 1) * share)]
          return from < to ? run(thread, { memory, nodes, part: { ...round, from, to } }) : undefined
        }),
      )
    },
    stop: () => Promise.all(threads.map((thread) => thread.terminate())),
  }
}

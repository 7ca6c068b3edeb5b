import { Worker } from 'node:worker_threads'
import type { WorkerInput, WorkerMessage } from './worker.ts'

export interface IndexerWorker {
  stop(): Promise<void>
}

/** Runs the indexer in a thread of its own, so that decoding never delays a response. A crashed thread is restarted. */
export function startIndexerWorker(input: WorkerInput, onMessage: (message: WorkerMessage) => void): IndexerWorker {
  let stopped = false
  let worker: Worker
  let ended: Promise<void>
  const start = () => {
    worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: input })
    worker.on('message', onMessage)
    worker.on('error', (error) => {
      const facts = { reason: error instanceof Error ? error.message : String(error) }
      onMessage({ type: 'line', level: 'error', facts, message: 'indexer thread failed' })
    })
    ended = new Promise((resolve) => {
      worker.once('exit', () => {
        resolve()
        if (!stopped) setTimeout(start, 1_000)
      })
    })
  }
  start()
  return {
    async stop() {
      stopped = true
      worker.postMessage({ type: 'stop' })
      await ended
    },
  }
}

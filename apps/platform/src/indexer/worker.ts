import { parentPort, workerData } from 'node:worker_threads'
import { redactor } from '@rackfair/rules/text/redactor'
import { openStore, type StoreSettings } from '../store/openStore.ts'
import type { IndexerSettings } from './Indexer.ts'
import { runIndexer } from './runIndexer.ts'

/** The input from the main thread, and the messages between the two. */
export interface WorkerInput {
  store: StoreSettings
  indexer: IndexerSettings
  pollMs: number
  wsUrl: string | undefined
}
export type WorkerMessage =
  | { type: 'commit' }
  | { type: 'line'; level: 'info' | 'warn' | 'error'; facts: object; message: string }
  | { type: 'differences'; count: number }

const port = parentPort
if (!port) throw new Error('this file runs as a worker')
const input = workerData as WorkerInput
const stop = new AbortController()
port.on('message', (message: { type: string }) => {
  if (message.type === 'stop') stop.abort()
})
const post = (message: WorkerMessage) => port.postMessage(message)
const store = await openStore(input.store, { migrate: false })
await runIndexer(store, input.indexer, {
  pollMs: input.pollMs,
  wsUrl: input.wsUrl,
  signal: stop.signal,
  onCommit: () => post({ type: 'commit' }),
  onLine: (level, facts, message) => post({ type: 'line', level, facts, message }),
  onDifferences: (count) => post({ type: 'differences', count }),
  redact: redactor([input.indexer.rpcUrl, input.wsUrl, input.store.databaseUrl]),
})
await store.close()
port.close()

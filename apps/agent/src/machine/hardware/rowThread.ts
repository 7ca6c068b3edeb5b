import { parentPort } from 'node:worker_threads'
import type { RowMemory } from '@rackfair/hardware/product'
import { makePart, type RoundPart } from './makePart.ts'

/** A worker thread of the measuring process: makes the parts of rounds it receives. */
parentPort?.on('message', (message: { memory: RowMemory; nodes: Uint8Array<SharedArrayBuffer>; part: RoundPart }) => {
  makePart(message.memory, message.nodes, message.part)
  parentPort?.postMessage('made')
})

import type { EventEmitter } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const IDLE_MS = 1_500

/**
 * Gives memory back once nothing has come for a while. A server waits beside its assistant all day, and V8 collects what the start left
 * over only when more is asked of it.
 */
export function freeWhenIdle(incoming: EventEmitter): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  // The thorough kind also gives back what is kept for the next allocations.
  const free = () => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  const timer = setTimeout(free, IDLE_MS).unref()
  incoming.on('data', () => timer.refresh())
}

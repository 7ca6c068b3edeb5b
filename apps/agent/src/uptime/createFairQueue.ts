import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@rackfair/rules/errors/AppError'

/** Networks that can wait at once, and requests of one of them. */
const MAX_LANES = 1024
const MAX_WAITING = 64
/** After each piece of work as many times its duration is left to everything else. */
const REST = 3

/**
 * Does work for strangers, such as checking what they claim to have signed, in a quarter of the processor's time at most. Each lane has its
 * turn: however many requests one network sends, those of another wait for at most one of them.
 */
export function createFairQueue({ maxLanes = MAX_LANES, maxWaiting = MAX_WAITING } = {}) {
  /** By lane, the next one first. */
  const lanes = new Map<string, (() => Promise<void>)[]>()
  let isWorking = false

  const workOff = async (): Promise<void> => {
    if (isWorking) return
    isWorking = true
    for (let next = lanes.entries().next().value; next; next = lanes.entries().next().value) {
      const [lane, waiting] = next
      lanes.delete(lane)
      const work = waiting.shift()
      if (waiting.length > 0) lanes.set(lane, waiting)
      const began = performance.now()
      await work?.()
      await sleep(REST * (performance.now() - began))
    }
    isWorking = false
  }

  /** Resolves or rejects as `work` does. @throws AppError `agent_busy`, at once, if too much of this lane waits already, or too many lanes do. */
  return <T>(lane: string, work: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const waiting = lanes.get(lane) ?? []
      if (waiting.length >= maxWaiting || (waiting.length === 0 && lanes.size >= maxLanes))
        return reject(new AppError('agent_busy', 'too many requests wait; ask again in a moment', { retryable: true }))
      waiting.push(() => work().then(resolve, reject))
      lanes.set(lane, waiting)
      void workOff()
    })
}

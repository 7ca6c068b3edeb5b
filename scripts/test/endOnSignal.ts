import { constants } from 'node:os'
import { signalSteps } from './runStep.ts'

/** Vitest and Playwright first stop what their tests have started. */
const GRACE_MS = 20_000

/**
 * On a signal that ends this process, interrupts the steps that are running, and kills what is left of them after `graceMs` milliseconds or
 * at the next signal. The result is then aborted, with the exit code as its reason: its owner starts no more steps.
 */
export function endOnSignal(graceMs = GRACE_MS): AbortSignal {
  const ended = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (ended.signal.aborted) return signalSteps('SIGKILL')
      ended.abort(128 + constants.signals[signal])
      signalSteps('SIGINT')
      setTimeout(() => signalSteps('SIGKILL'), graceMs).unref()
    })
  return ended.signal
}

import { constants } from 'node:os'
import type { WorkloadState } from '../runtime/Runtime.ts'

const KILLED = 137
/** A program killed by a signal exits with this plus the signal number. */
const SIGNALLED = 128

/** Why an application ended, as far as the engine and the kernel can tell. */
export function howItEnded({ exitCode, outOfMemory }: Pick<WorkloadState, 'exitCode' | 'outOfMemory'>): string {
  if (outOfMemory) return 'it was ended for using more memory than the node has'
  if (exitCode === KILLED) return `it was killed (code ${KILLED}), as also happens to what uses more memory than the node has`
  const signal = Object.entries(constants.signals).find(([, number]) => exitCode === SIGNALLED + number)
  if (signal) return `it was ended by the signal ${signal[0]} (code ${exitCode})`
  return `it ended with code ${exitCode}`
}

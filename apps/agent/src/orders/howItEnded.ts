import type { WorkloadState } from '../runtime/Runtime.ts'

const KILLED = 137

/** Why an application ended, as far as the engine knows it. */
export function howItEnded({ exitCode, outOfMemory }: Pick<WorkloadState, 'exitCode' | 'outOfMemory'>): string {
  if (outOfMemory) return 'it was ended for using more memory than the node has'
  if (exitCode === KILLED) return `it was killed (code ${KILLED}), as also happens to what uses more memory than the node has`
  return `it ended with code ${exitCode}`
}

const wanted = process.env.RACKFAIR_FAULT_POINT

/**
 * A point between two steps where the crash test kills the process. Selected by `RACKFAIR_FAULT_POINT`; a no-op without it.
 */
export function faultPoint(name: FaultPoint): void {
  if (wanted === name) process.kill(process.pid, 'SIGKILL')
}

export const FAULT_POINTS = [
  'accepted',
  'imaged',
  'created',
  'started',
  'running',
  'activating',
  'transactionStored',
  'transactionSent',
  'transactionMined',
  'removing',
  'removed',
] as const
export type FaultPoint = (typeof FAULT_POINTS)[number]

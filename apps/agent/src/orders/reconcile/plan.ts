import type { DeploymentPhase } from '@rackfair/core'
import { CLEAN_DEPLOY_ID } from '@rackfair/core'
import type { WorkloadState } from '../../runtime/Runtime.ts'
import type { Command } from '../openAgentDb.ts'

/** One probe may fall on a busy moment; from the second on the application counts as degraded. */
const SILENT_PROBES_DEGRADED = 2
/** An application that is silent for so many probes in a row, and for as long as its start may take, is started again. */
const SILENT_PROBES_RESTART = 6

/** What chain and renter want of an order; `nothing` is to be done while neither can be told, or while a failed start waits. */
export type Wanted = 'nothing' | 'ended' | 'cleaned' | 'halted' | 'stopped' | 'finished' | 'running'

/** What the agent has written down of an order and read of it on the chain. */
export interface Known {
  command: Pick<Command, 'deployId' | 'endedAt' | 'stopped'>
  phase: DeploymentPhase
  /** How its job ended is written down. */
  hasExit: boolean
  /** False until the chain was read once. */
  isOrderKnown: boolean
  /** A start failed, and the next has to wait. */
  isPaused: boolean
}

/** The newest word counts: the end on the chain, then what the renter asked for, then how it went. */
export function wantedOf({ command, phase, hasExit, isOrderKnown, isPaused }: Known): Wanted {
  if (command.endedAt !== undefined) return 'ended'
  if (!isOrderKnown) return 'nothing'
  if (command.deployId === CLEAN_DEPLOY_ID) return 'cleaned'
  // What failed to start does not run on unseen; the next request starts anew.
  if (phase === 'Failed') return 'halted'
  if (command.stopped) return 'stopped'
  if (isPaused) return 'nothing'
  return hasExit ? 'finished' : 'running'
}

export type RestStep =
  | 'close'
  | 'stop'
  | 'tellStopped'
  | 'tellCleaning'
  | 'wipe'
  | 'tellCleaned'
  | 'tellClosed'
  | 'tellFinished'
  | 'keepFiles'

/** From whatever runs to nothing that runs. `isWipeDue`: the chain has not taken the order's end back for a while. */
export function planRest(wanted: Exclude<Wanted, 'running'>, known: { isLive: boolean; isWipeDue: boolean }): RestStep[] {
  switch (wanted) {
    case 'nothing':
      return []
    case 'ended':
      return known.isWipeDue ? ['close', 'stop', 'wipe', 'tellClosed'] : ['close', 'stop']
    case 'cleaned':
      return ['close', 'tellCleaning', 'wipe', 'tellCleaned']
    case 'halted':
      return ['close', 'stop']
    case 'stopped':
      return ['close', 'stop', 'tellStopped']
    case 'finished':
      return ['close', 'tellFinished', known.isLive ? 'keepFiles' : 'stop']
  }
}

export type RunStep =
  | 'forgetUpstream'
  | 'stopSilent'
  | 'noteExit'
  | 'tellExit'
  | 'noteUpstream'
  | 'noteSilence'
  | 'tellSilence'
  | 'removeEarlier'
  | 'getImage'
  | 'create'
  | 'start'
  | 'openPorts'
  | 'watchJob'
  | 'awaitAnswer'
  | 'noteRun'
  | 'settle'
  | 'endJob'

/** One order whose application is to run, as it is. */
export interface Observed {
  command: Pick<Command, 'deploymentId' | 'hasRun'>
  kind: 'preset' | 'own' | 'job'
  phase: DeploymentPhase
  /** The order entitles its renter to a start at this moment. */
  isLive: boolean
  workload: Pick<WorkloadState, 'deploymentId' | 'running' | 'exitCode' | 'outOfMemory' | 'endedAt'> | undefined
  /** Data of an earlier deployment lies here. */
  hasData: boolean
  /** Undefined where it was not asked. */
  answers: boolean | undefined
  /** Probes in a row without an answer, with this one, and since when. */
  silence: { probes: number; forMs: number }
  /** How long the application may take until its first answer. */
  startDeadlineMs: number
}

/** The steps from how an order is to how it should be. Each may be repeated: a crash between two of them only delays it. */
export function planRun(observed: Observed): RunStep[] {
  const { command, kind, workload } = observed
  const isCurrent = workload?.deploymentId === command.deploymentId
  if (isCurrent && workload.running && command.hasRun) return keep(observed)
  const renterStartsAnew = command.hasRun && observed.phase === 'Starting'
  const hasEnded = isCurrent && !workload.running && workload.endedAt !== undefined && !renterStartsAnew
  if (kind === 'job' && hasEnded) return command.hasRun ? ['endJob'] : ['noteRun', 'settle', 'endJob']

  const steps: RunStep[] = workload?.running ? [] : ['forgetUpstream']
  if (isCurrent && !workload.running && observed.phase !== 'Starting') {
    steps.push('noteExit')
    if (command.hasRun && (workload.exitCode !== 0 || workload.outOfMemory)) steps.push('tellExit')
  }
  if (!observed.isLive) return steps
  if (workload ? !isCurrent : !command.hasRun && observed.hasData) steps.push('removeEarlier')
  return [...steps, ...startUp(kind)]
}

function keep({ kind, isLive, answers, silence, startDeadlineMs }: Observed): RunStep[] {
  const steps: RunStep[] = ['noteUpstream']
  if (kind !== 'preset') steps.push('openPorts')
  if (kind === 'job') return [...steps, 'watchJob', 'settle']
  if (answers) return [...steps, 'settle']
  steps.push('noteSilence')
  if (silence.probes >= SILENT_PROBES_DEGRADED) steps.push('tellSilence')
  const isTooLong = silence.probes >= SILENT_PROBES_RESTART && silence.forMs >= startDeadlineMs
  return isTooLong && isLive ? [...steps, 'stopSilent', ...startUp(kind)] : steps
}

function startUp(kind: Observed['kind']): RunStep[] {
  return [
    'getImage',
    'create',
    'start',
    ...(kind === 'preset' ? [] : (['openPorts'] as const)),
    kind === 'job' ? 'watchJob' : 'awaitAnswer',
    'noteRun',
    'settle',
  ]
}

import type { DeploymentPhase } from '@rackfair/rules/deployment/phase'
import { CLEAN_DEPLOY_ID } from '@rackfair/rules/presets'
import type { Command } from '../../db/openAgentDb.ts'
import type { WorkloadState } from '../../runtime/Runtime.ts'

/** A single missed probe may be a busy moment; from the second on the application counts as degraded. */
const SILENT_PROBES_DEGRADED = 2
/** An application that misses this many consecutive probes, and stays silent for as long as its start may take, is restarted. */
const SILENT_PROBES_RESTART = 6

/** The state that chain and renter want for an order; `nothing` while that is unknown, or while a failed start waits for its retry. */
export type Wanted = 'nothing' | 'ended' | 'cleaned' | 'halted' | 'stopped' | 'finished' | 'running'

/** What the agent has stored about an order and read about it from the chain. */
export interface Known {
  command: Pick<Command, 'deployId' | 'endedAt' | 'stopped'>
  phase: DeploymentPhase
  /** The exit of its job is recorded. */
  hasExit: boolean
  /** False until the order was read from the chain once. */
  isOrderKnown: boolean
  /** A start failed, and the next has to wait. */
  isPaused: boolean
}

/** In order of precedence: the end on the chain, then the renter's request, then how the last start went. */
export function wantedOf({ command, phase, hasExit, isOrderKnown, isPaused }: Known): Wanted {
  if (command.endedAt !== undefined) return 'ended'
  if (!isOrderKnown) return 'nothing'
  if (command.deployId === CLEAN_DEPLOY_ID) return 'cleaned'
  // A failed application must not keep running unnoticed; the next request starts over.
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

/** Plans the steps from any state to nothing running. `isWipeDue`: the order's end has stood on the chain for a while. */
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
  | 'keepEarlier'
  | 'removeEarlier'
  | 'setEarlierAside'
  | 'dropEarlier'
  | 'takeBack'
  | 'getImage'
  | 'prepare'
  | 'create'
  | 'start'
  | 'openPorts'
  | 'watchJob'
  | 'awaitAnswer'
  | 'noteRun'
  | 'settle'
  | 'tellServiceExit'
  | 'endJob'

/** The observed state of an order whose application should run. */
export interface Observed {
  command: Pick<Command, 'deploymentId' | 'hasRun'>
  kind: 'preset' | 'own' | 'job'
  phase: DeploymentPhase
  /** Whether the order currently entitles its renter to a start. */
  isLive: boolean
  workload: Pick<WorkloadState, 'deploymentId' | 'running' | 'exitCode' | 'outOfMemory' | 'endedAt'> | undefined
  /** Data of an earlier deployment exists here. */
  hasData: boolean
  /** The earlier deployment goes on until this one has its image, and again if this one fails. */
  keepsEarlier: boolean
  /** The deployment whose container was set aside for another. */
  aside: string | undefined
  /** Undefined if it was not probed. */
  answers: boolean | undefined
  /** Consecutive unanswered probes including this one, and for how long, in milliseconds. */
  silence: { probes: number; forMs: number }
  /** How long the application may take until its first answer. */
  startDeadlineMs: number
  /** One of several services that should run does not. */
  lacksService: boolean
}

/** The steps from an order's observed to its wanted state. Each is idempotent: a crash between two of them only delays the rest. */
export function planRun(observed: Observed): RunStep[] {
  const { command, kind, workload } = observed
  if (observed.aside === command.deploymentId) return ['takeBack', ...(observed.isLive ? startUp(kind) : [])]
  const isCurrent = workload?.deploymentId === command.deploymentId
  if (isCurrent && workload.running && command.hasRun)
    return [...(observed.keepsEarlier ? (['dropEarlier'] as const) : []), ...startLacking(observed), ...keep(observed)]
  const renterStartsAnew = command.hasRun && observed.phase === 'Starting'
  const hasEnded = isCurrent && !workload.running && workload.endedAt !== undefined && !renterStartsAnew
  if (kind === 'job' && hasEnded) return command.hasRun ? ['endJob'] : ['noteRun', 'settle', 'endJob']

  const steps: RunStep[] = workload?.running ? [] : ['forgetUpstream']
  if (isCurrent && !workload.running && observed.phase !== 'Starting') {
    steps.push('noteExit')
    if (command.hasRun && (workload.exitCode !== 0 || workload.outOfMemory)) steps.push('tellExit')
  }
  if (!observed.isLive) return steps
  const isEarlier = workload ? !isCurrent : !command.hasRun && observed.hasData
  if (!observed.keepsEarlier) return [...steps, ...(isEarlier ? (['removeEarlier'] as const) : []), ...startUp(kind)]
  const [getImage, ...rest] = startUp(kind)
  const keepEarlier = workload?.running && !isCurrent ? (['keepEarlier'] as const) : []
  // A job answers nobody: whether it does what it should is known at its end.
  if (kind === 'job') return [...steps, ...keepEarlier, getImage, 'removeEarlier', ...rest]
  const settled = rest.flatMap((step): RunStep[] => (step === 'settle' ? ['dropEarlier', step] : [step]))
  // What runs goes on until all is there that can be made beside it.
  const prepare = kind === 'own' && keepEarlier.length > 0 ? (['prepare'] as const) : []
  return [...steps, ...keepEarlier, getImage, ...prepare, ...(isCurrent ? [] : (['setEarlierAside'] as const)), ...settled]
}

/** What has ended beside a main service that runs is started again. */
const startLacking = ({ lacksService, isLive }: Observed): RunStep[] =>
  lacksService ? ['tellServiceExit', ...(isLive ? (['getImage', 'create', 'start'] as const) : [])] : []

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

function startUp(kind: Observed['kind']): ['getImage', ...RunStep[]] {
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

import type { Deployment } from '@rackfair/rules/deployment/deployment'
import { type DeploymentPhase, PHASES } from '@rackfair/rules/deployment/phase'

export interface ShownStep {
  phase: DeploymentPhase
  state: 'next' | 'now' | 'done' | 'failed'
  /** Unix milliseconds. */
  at: number | undefined
  code: string | undefined
  message: string | undefined
}

const DEPLOY: readonly DeploymentPhase[] = ['Queued', 'Accepted', 'Pulling', 'Creating', 'Starting', 'Running']
const CLEAN: readonly DeploymentPhase[] = ['Queued', 'Accepted', 'Cleaning', 'Cleaned']

/**
 * The steps that were taken and those still to come. A step that was skipped (nothing to pull) is left out, one that was taken again stands
 * once, where it was taken last.
 */
export function deploymentSteps(deployment: Pick<Deployment, 'deployId' | 'phase' | 'steps'>): ShownStep[] {
  const plan = deployment.deployId === 0 ? CLEAN : DEPLOY
  const ended = !PHASES[deployment.phase].busy
  const once = deployment.steps.filter(({ phase }, index, all) => index === all.findLastIndex((step) => step.phase === phase))
  const taken = once.map((step, index): ShownStep => {
    const last = index === once.length - 1
    const bad = step.phase === 'Failed' || step.phase === 'Degraded'
    return {
      phase: step.phase,
      state: bad ? 'failed' : last && !ended ? 'now' : 'done',
      at: step.at,
      code: step.code,
      message: step.message,
    }
  })
  if (ended) return taken
  const reached = Math.max(-1, ...taken.map((step) => plan.indexOf(step.phase)))
  const coming = plan.slice(reached + 1).map((phase, index): ShownStep => {
    const state = taken.length === 0 && index === 0 ? 'now' : 'next'
    return { phase, state, at: undefined, code: undefined, message: undefined }
  })
  return [...taken, ...coming]
}

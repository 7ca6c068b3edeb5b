import type { Deployment } from '@rackfair/rules/deployment/deployment'
import type { DeploymentPhase } from '@rackfair/rules/deployment/phase'

/** How long a deployment stood in a phase, in milliseconds. `Queued` is everything before the agent took it. */
export interface DeploymentSpan {
  phase: DeploymentPhase
  ms: number
}

/**
 * What the way from the signature to the first answer consisted of; empty until it runs. The platform's clock and the agent's meet here:
 * where one of them is ahead, a span is 0, never negative.
 *
 * @example
 * deploymentSpans({ requestedAt: 0, steps: [{ phase: 'Accepted', at: 60 }, { phase: 'Starting', at: 280 }, { phase: 'Running', at: 1400 }] })
 * // [{ phase: 'Queued', ms: 60 }, { phase: 'Accepted', ms: 220 }, { phase: 'Starting', ms: 1120 }]
 */
export function deploymentSpans({ requestedAt, steps }: Pick<Deployment, 'requestedAt' | 'steps'>): DeploymentSpan[] {
  const running = steps.findIndex(({ phase }) => phase === 'Running')
  if (running < 0) return []
  const spans: DeploymentSpan[] = []
  let last: { phase: DeploymentPhase; at: number } = { phase: 'Queued', at: requestedAt }
  for (const step of steps.slice(0, running + 1)) {
    if (step.phase !== last.phase) spans.push({ phase: last.phase, ms: Math.max(0, step.at - last.at) })
    if (step.phase !== last.phase) last = step
  }
  return spans
}

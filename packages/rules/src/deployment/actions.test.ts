import { expect, test } from 'vitest'
import { CLEAN_DEPLOY_ID } from '../presets.ts'
import { type Application, applicationOf, type LatestDeployment } from './actions.ts'
import type { DeploymentPhase } from './phase.ts'

const PRESET = 2
const latest = (deployId: number, ...phases: DeploymentPhase[]): LatestDeployment => ({
  deployId,
  phase: phases.at(-1) as DeploymentPhase,
  steps: phases.map((phase, at) => ({ phase, at })),
})
const flagged: Application = { state: 'present', fact: 'flag', deployId: undefined }
const busy: Application = { state: 'busy', fact: 'report' }
const none: Application = { state: 'none', fact: 'report' }

test.each([
  ['a request that waits for its machine', latest(PRESET, 'Queued'), busy],
  ['a clean that waits for its machine', latest(CLEAN_DEPLOY_ID, 'Queued'), busy],
  ['a clean under way', latest(CLEAN_DEPLOY_ID, 'Queued', 'Cleaning'), busy],
  ['a clean that is done', latest(CLEAN_DEPLOY_ID, 'Queued', 'Cleaning', 'Cleaned'), none],
  ['a clean that failed on the machine', latest(CLEAN_DEPLOY_ID, 'Queued', 'Cleaning', 'Failed'), flagged],
  ['a request that never reached the machine', latest(PRESET, 'Queued', 'Failed'), flagged],
  ['a deploy that failed on the machine', latest(PRESET, 'Queued', 'Accepted', 'Failed'), none],
  [
    'an update that failed before it replaced anything',
    { ...latest(PRESET, 'Accepted', 'Pulling', 'Failed'), details: { earlierRuns: true } } as LatestDeployment,
    flagged,
  ],
  ['a deploy that failed on the machine without waiting', latest(PRESET, 'Pulling', 'Failed'), none],
] as const)('trusts the deployed flag on chain after %s only if that changed nothing', (_, newest, application) =>
  expect(applicationOf({ deployed: true }, newest)).toEqual(application),
)

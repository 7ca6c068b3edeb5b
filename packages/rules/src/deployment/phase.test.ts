import { expect, test } from 'vitest'
import type { DeploymentPhase } from './phase.ts'
import { PHASES } from './phase.ts'

const allThat = (fact: 'ended' | 'present' | 'busy') =>
  (Object.keys(PHASES) as DeploymentPhase[]).filter((phase) => PHASES[phase][fact])

test('each phase is either busy, present or ended', () => {
  expect(allThat('busy')).toEqual(['Queued', 'Accepted', 'Pulling', 'Creating', 'Starting', 'Cleaning'])
  expect(allThat('present')).toEqual(['Running', 'Degraded', 'Stopped', 'Finished'])
  expect(allThat('ended')).toEqual(['Failed', 'Cleaned', 'Closed'])
})

import { expect, test } from 'vitest'
import type { DeploymentPhase } from './phase.ts'
import { PHASES } from './phase.ts'

const allThat = (fact: 'ended' | 'present' | 'busy') =>
  (Object.keys(PHASES) as DeploymentPhase[]).filter((phase) => PHASES[phase][fact])

test('a phase is busy, present or ended, and never two of them', () => {
  expect(allThat('busy')).toEqual(['Queued', 'Accepted', 'Pulling', 'Creating', 'Starting', 'Cleaning'])
  expect(allThat('present')).toEqual(['Running', 'Degraded', 'Stopped', 'Finished'])
  expect(allThat('ended')).toEqual(['Failed', 'Cleaned', 'Closed'])
})

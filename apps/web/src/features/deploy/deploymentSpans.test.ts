import { expect, test } from 'vitest'
import { deploymentSpans } from './deploymentSpans.ts'

const step = (phase: 'Queued' | 'Accepted' | 'Starting' | 'Running' | 'Degraded', at: number) => ({ phase, at })

test('measures each phase until the next, from the signature on', () => {
  const steps = [step('Queued', 0), step('Accepted', 60), step('Starting', 280), step('Running', 1400)]
  expect(deploymentSpans({ requestedAt: 0, steps })).toEqual([
    { phase: 'Queued', ms: 60 },
    { phase: 'Accepted', ms: 220 },
    { phase: 'Starting', ms: 1120 },
  ])
})

test('ignores phases after the first response', () => {
  const steps = [step('Accepted', 10), step('Running', 30), step('Degraded', 5000), step('Running', 9000)]
  expect(deploymentSpans({ requestedAt: 0, steps })).toEqual([
    { phase: 'Queued', ms: 10 },
    { phase: 'Accepted', ms: 20 },
  ])
})

test('has no negative span with a machine whose clock is behind', () =>
  expect(deploymentSpans({ requestedAt: 1000, steps: [step('Accepted', 400), step('Running', 700)] })).toEqual([
    { phase: 'Queued', ms: 0 },
    { phase: 'Accepted', ms: 300 },
  ]))

test('has no spans before it runs', () =>
  expect(deploymentSpans({ requestedAt: 0, steps: [step('Queued', 0), step('Accepted', 60)] })).toEqual([]))

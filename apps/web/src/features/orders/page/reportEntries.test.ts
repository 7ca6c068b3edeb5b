import type { RememberedDeployment } from '@rackfair/sdk/workspace'
import { expect, test } from 'vitest'
import { en } from '../messages.en.ts'
import { mergeReports, reportEntries } from './reportEntries.ts'
import { byNewest } from './timelineEntry.ts'

const SECOND = 1_800_000_000_000
const entriesOf = (deployment: RememberedDeployment, app: string) => reportEntries(deployment, app, en, () => ({}) as never)
const shown = (...deployments: [RememberedDeployment, string][]) =>
  deployments
    .flatMap(([deployment, app]) => entriesOf(deployment, app))
    .sort(byNewest)
    .map(({ text }) => text)
const runs: RememberedDeployment = {
  ...{ id: 'f', deployId: 7, requestedAt: SECOND - 5000 },
  steps: [
    { phase: 'Starting', at: SECOND - 1000 },
    { phase: 'Running', at: SECOND + 100 },
  ],
}
const clean: RememberedDeployment = {
  ...{ id: 'a', deployId: 0, requestedAt: SECOND + 700 },
  steps: [
    { phase: 'Cleaning', at: SECOND + 800 },
    { phase: 'Cleaned', at: SECOND + 800 },
  ],
}

test('sorts reports of one second chronologically, whatever the random ids of their deployments', () => {
  const order = ['The machine is clean', 'The machine is being cleaned', 'Ubuntu answers', 'Ubuntu: starting']
  expect(shown([runs, 'Ubuntu'], [clean, ''])).toEqual(order)
  expect(shown([{ ...clean, id: 'z' }, ''], [runs, 'Ubuntu'])).toEqual(order)
})

test('sorts the later request last for two reports of the same millisecond', () => {
  const atOnce = { ...clean, steps: [{ phase: 'Cleaning', at: SECOND + 100 } as const] }
  const order = ['The machine is being cleaned', 'Ubuntu answers', 'Ubuntu: starting']
  expect(shown([runs, 'Ubuntu'], [atOnce, ''])).toEqual(order)
  expect(shown([{ ...atOnce, id: 'z' }, ''], [runs, 'Ubuntu'])).toEqual(order)
})

test('merges what machine and platform both report, whatever their ids', () => {
  const queued = { phase: 'Queued', at: SECOND - 6000 } as const
  const latest = { ...runs, id: 'of-the-platform', requestedAt: SECOND - 6000, steps: [queued, ...runs.steps] }
  const told = mergeReports(latest, [clean, runs])
  expect(told.flatMap(({ steps }) => steps)).toEqual([...clean.steps, ...runs.steps, queued])
  expect(mergeReports(latest, [])).toEqual([latest])
  expect(mergeReports(null, [runs])).toEqual([runs])
  expect(mergeReports(undefined, [])).toEqual([])
})

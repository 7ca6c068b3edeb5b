import type { DeploymentWire } from '@rackfair/protocol/deployments'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openAgentDb } from '../db/openAgentDb.ts'
import { createProgress } from './createProgress.ts'

const ID = 'a-deployment'
const QUIET = { debug() {}, info() {}, warn() {}, error() {} }

test('sends the last line of a burst after a delay, per deployment, and none once stopped', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { progress, told, state } = setup()
  const other = 'another-deployment'
  state.putDeployment({ ...(state.deployment(ID) as DeploymentWire), id: other, orderId: '2' })
  for (const id of [ID, other]) {
    progress.publish(id, 'Pulling')
    for (const line of ['first', 'passed over', 'extracting archives']) progress.building(id, line)
  }
  vi.advanceTimersByTime(500)
  expect(told.slice(-2).map(({ id, details }) => [id, details?.buildLine])).toEqual([
    [ID, 'extracting archives'],
    [other, 'extracting archives'],
  ])
  const before = told.length
  progress.building(ID, 'first again')
  progress.building(ID, 'never told')
  progress.stop()
  vi.advanceTimersByTime(1000)
  expect(told).toHaveLength(before)
})

test('sends build output line by line while its deployment waits, at most twice a second', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { progress, told } = setup()
  progress.building(ID, 'nothing waits yet')
  progress.publish(ID, 'Pulling')
  for (const line of ['first', 'passed over', 'second']) progress.building(ID, line)
  vi.advanceTimersByTime(1000)
  progress.building(ID, 'x'.repeat(500))
  progress.building(ID, 'too late')
  progress.publish(ID, 'Creating')
  progress.building(ID, 'later still')
  vi.advanceTimersByTime(1000)
  expect(told.map(({ phase, details }) => [phase, details?.buildLine])).toEqual([
    ['Pulling', undefined],
    ['Pulling', 'first'],
    ['Pulling', 'second'],
    ['Pulling', 'x'.repeat(200)],
    ['Creating', undefined],
  ])
})

function setup() {
  const state = openAgentDb(':memory:')
  onTestFinished(() => state.close())
  const owner = `0x${'11'.repeat(20)}` as const
  const fresh: DeploymentWire = {
    ...{ id: ID, orderId: '1', deployId: 2, user: owner, provider: owner, phase: 'Accepted' },
    ...{ steps: [{ phase: 'Accepted', at: 1 }], requestedAt: 1, visitUrl: null },
  }
  state.putDeployment(fresh)
  const told: DeploymentWire[] = []
  return {
    progress: createProgress({
      notes: { add: () => {}, remove: () => {} },
      state,
      onStatus: (one) => void told.push(one),
      log: QUIET,
    }),
    told,
    state,
  }
}

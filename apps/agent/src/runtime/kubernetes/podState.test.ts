import type { V1PodStatus } from '@kubernetes/client-node'
import { expect, test } from 'vitest'
import { isAtGate, podState, runsNothing, servicesOf, whyNotStarting } from './podState.ts'

const pod = (status: V1PodStatus, metadata = {}) => ({ metadata, status })
const container = (state: object, lastState = {}): Pick<V1PodStatus, 'containerStatuses'> => ({
  containerStatuses: [{ name: 'app', image: '', imageID: '', ready: false, restartCount: 0, state, lastState }],
})

test.each<[string, boolean, V1PodStatus]>([
  ['its program runs', false, { phase: 'Running', ...container({ running: {} }) }],
  ['nothing of it has started', false, { phase: 'Pending', ...container({ waiting: { reason: 'ContainerCreating' } }) }],
  ['its program has ended', true, { phase: 'Succeeded', ...container({ terminated: { exitCode: 0 } }) }],
  ['its image cannot be got', true, { phase: 'Pending', ...container({ waiting: { reason: 'ImagePullBackOff' } }) }],
  [
    'its node came too late to see how its program ended',
    true,
    {
      phase: 'Failed',
      ...container(
        { waiting: { reason: 'ContainerCreating' } },
        { terminated: { exitCode: 137, reason: 'ContainerStatusUnknown' } },
      ),
    },
  ],
])('a pod of which %s runs nothing: %s', (_name, expected, status) => {
  expect(runsNothing(pod(status, { deletionTimestamp: new Date() }))).toBe(expected)
  // It may still start to run something.
  expect(runsNothing(pod(status))).toBe(false)
})

const namespace = {
  metadata: {
    labels: { 'rackfair.io/order': '12' },
    annotations: { 'rackfair.io/deployment': 'd1', 'rackfair.io/parts': 'app,app-db' },
  },
}
const serviceOf = (name: string, state: object, lastState = {}) => ({
  ...{ name, image: '', imageID: '', ready: false, restartCount: 0, state, lastState },
})
const SHUT = { waiting: { reason: 'CreateContainerConfigError', message: 'secret "gates" not found' } }
const STILL_SHUT = {
  waiting: { reason: 'CreateContainerConfigError', message: "couldn't find key app-db in Secret rackfair-a-12/gates" },
}

test.each<[string, object, object, object]>([
  ['waits at its gate', SHUT, {}, { running: false, endedAt: undefined }],
  ['waits at its gate while others have begun', STILL_SHUT, {}, { running: false, endedAt: undefined }],
  ['runs', { running: { startedAt: 'then' } }, {}, { running: true, upstream: { address: '10.0.0.9', start: 'u then' } }],
  [
    'is about to be started again',
    { waiting: { reason: 'CrashLoopBackOff' } },
    { terminated: { exitCode: 3, finishedAt: '2026-11-28T05:00:00Z' } },
    { running: false, exitCode: 3, endedAt: Date.parse('2026-11-28T05:00:00Z') },
  ],
  [
    'is done',
    { terminated: { exitCode: 0, finishedAt: '2026-11-28T05:00:00Z' } },
    {},
    { running: false, exitCode: 0, endedAt: Date.parse('2026-11-28T05:00:00Z') },
  ],
])('a service of a pod that %s is seen so', (_name, state, lastState, expected) => {
  const status = {
    phase: 'Pending',
    podIP: '10.0.0.9',
    containerStatuses: [serviceOf('app', SHUT), serviceOf('app-db', state, lastState)],
  }
  expect(podState(namespace, { metadata: { uid: 'u' }, status }, 'db')).toMatchObject({
    orderId: 12n,
    service: 'db',
    ...expected,
  })
  expect(podState(namespace, { status }, 'cache')).toBeUndefined()
})

test('the services of an order are those that were applied', () => {
  expect(servicesOf(namespace)).toEqual([undefined, 'db'])
  expect(servicesOf({ metadata: {} })).toEqual([undefined])
})

test('a gate that the node still takes for shut is no failure, and what it would be without is one', () => {
  const status = (state: object) => ({ status: { containerStatuses: [serviceOf('app-db', state)] } })
  for (const state of [SHUT, STILL_SHUT]) {
    expect(isAtGate(status(state), 'db')).toBe(true)
    expect(whyNotStarting(status(state), 0, 'db')).toBeUndefined()
  }
  const other = { waiting: { reason: 'CreateContainerConfigError', message: 'secret "app-db" not found' } }
  expect(whyNotStarting(status(other), 0, 'db')).toMatchObject({ code: 'start_failed' })
})

test('a pod that is removed runs nothing once those have ended that had begun', () => {
  const removed = (...all: ReturnType<typeof serviceOf>[]) =>
    runsNothing(pod({ phase: 'Pending', containerStatuses: all }, { deletionTimestamp: new Date() }))
  const ended = serviceOf('app', { terminated: { exitCode: 0 } })
  expect(removed(ended, serviceOf('app-db', STILL_SHUT))).toBe(true)
  expect(removed(serviceOf('app', { running: {} }), serviceOf('app-db', STILL_SHUT))).toBe(false)
})

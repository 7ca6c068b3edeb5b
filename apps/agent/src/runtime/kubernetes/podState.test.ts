import type { V1PodStatus } from '@kubernetes/client-node'
import { expect, test } from 'vitest'
import { runsNothing } from './podState.ts'

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

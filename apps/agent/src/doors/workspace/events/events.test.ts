import type { DeploymentWire } from '@rackfair/protocol/deployments'
import { decodeJson, FRAME, readFrames } from '@rackfair/protocol/frames'
import { expect, it } from 'vitest'
import { openAgentDb } from '../../../db/openAgentDb.ts'
import { openChannel } from '../../../testing/openChannel.ts'
import { createEventsHandler } from './serveEvents.ts'

it('shows an owner every deployment of the order, newest first, and none of other orders', async () => {
  const state = openAgentDb(':memory:')
  for (const [index, orderId] of ['1', '2', '1'].entries()) {
    const steps = [{ phase: 'Failed', at: index, code: 'start_failed', message: 'it ended with code 3' }]
    state.putDeployment({ id: `d${index}`, orderId, deployId: 2, phase: 'Failed', steps, requestedAt: index } as never)
  }
  const { channel, sent, close } = openChannel()
  void createEventsHandler(state.deploymentsOf)(1n, {}, channel).then(close)
  const told: DeploymentWire[] = []
  for await (const { type, payload } of readFrames(sent))
    if (type === FRAME.json) told.push(decodeJson(payload) as DeploymentWire)
  expect(told.map(({ id, steps }) => [id, steps[0]?.message])).toEqual([
    ['d2', 'it ended with code 3'],
    ['d0', 'it ended with code 3'],
  ])
  await expect(createEventsHandler(state.deploymentsOf)(1n, { of: '2' }, openChannel().channel)).rejects.toMatchObject({
    code: 'bad_request',
  })
  state.close()
})

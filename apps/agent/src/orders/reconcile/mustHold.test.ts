import { lowerCaseAddress } from '@rackfair/rules/address'
import { expect, it } from 'vitest'
import type { ChainNode, ChainOrder } from '../../chain/read/chainView.ts'
import type { Command } from '../../db/openAgentDb.ts'
import type { Gpu } from '../../runtime/Gpu.ts'
import { createAllowanceOf } from './createAllowanceOf.ts'
import { createRestSteps } from './createRestSteps.ts'

const USER = lowerCaseAddress(`0x${'a'.repeat(40)}`)
/** Whoever asks anything of it has gone past the assertion. */
const NOTHING = {} as never

it.each([
  ['a running application', { deployId: 2, endedAt: undefined }],
  ['one that its renter stopped', { deployId: 2, endedAt: undefined, stopped: true }],
])('deletes no data of %s', async (_, state) => {
  const command = { orderId: 1n, deploymentId: 'd', user: USER, ...state } as Command
  const jobs = { exitOf: () => undefined } as never
  const steps = createRestSteps(NOTHING, NOTHING, NOTHING, NOTHING, jobs, NOTHING, NOTHING)(command)
  await expect(async () => steps.wipe()).rejects.toThrow('only what ended or is cleaned is deleted')
})

it('gives an order no more GPUs than it bought', async () => {
  const node = { id: 4n, core: 2 } as ChainNode
  const allowanceOf = createAllowanceOf(NOTHING, { nodes: [node] } as never)
  const order = { id: 1n, nodeId: 4n, nCPU: 3, nGPU: 1, nMEM: 2, nDISK: 20 } as ChainOrder
  const gpus = [{ id: 'a' }, { id: 'b' }] as Gpu[]
  await expect(allowanceOf(order, gpus)).rejects.toThrow('no more GPUs than it bought')
  expect(await allowanceOf(order, gpus.slice(1))).toMatchObject({ cores: 6, gpus: [{ id: 'b' }] })
})

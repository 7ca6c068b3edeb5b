import { expect, test } from 'vitest'
import { readNodeFilter } from '../../nodes/nodeFilter.ts'
import { likeIt } from './likeIt.ts'

const filterOf = (nGPU: number) => {
  const address = likeIt({ resources: { nCPU: 2, nGPU, nMEM: 1, nDISK: 1 }, gpuModel: 'RTX 4090, used', cpuModel: 'EPYC 7402' })
  expect(address).toMatch(/^\/nodelist\?/)
  return readNodeFilter(new URLSearchParams(address.split('?')[1]))
}

test('links Compute to idle machines with the same GPU, or the same CPU without one', () => {
  expect(filterOf(1)).toMatchObject({ idle: true, gpu: ['RTX 4090, used'], cpu: [] })
  expect(filterOf(0)).toMatchObject({ idle: true, gpu: [], cpu: ['EPYC 7402'] })
})

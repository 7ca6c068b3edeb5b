import { expect, it } from 'vitest'
import { baysOf } from './bays.ts'

const machine = (gpus: number, model: string, cores: number, memoryGb: number, diskGb: number) =>
  baysOf({ gpu: { count: gpus, model }, cpu: { count: 1, cores, model: 'EPYC' }, memoryGb, diskGb }).map(
    ({ kind, groups, cells, per }) => [kind, groups, cells, per],
  )

it('draws a GB of each GPU, a core, a GB of memory and 100 GB of disk as a cell', () => {
  expect(machine(2, 'RTX 4090', 20, 64, 1000)).toEqual([
    ['gpu', 2, 24, 1],
    ['cpu', 1, 20, 1],
    ['memory', 1, 64, 1],
    ['storage', 1, 10, 100],
  ])
})

it('lets a cell stand for more where there would be more than 64', () => {
  for (const [, groups = 0, cells = 0] of machine(8, 'H100 80GB', 256, 2048, 40_000) as [string, number, number, number][])
    expect(groups * cells).toBeLessThanOrEqual(64)
  expect(machine(8, 'H100 80GB', 256, 2048, 40_000).map(([, , , per]) => per)).toEqual([16, 4, 32, 800])
})

it('draws no bay for what a machine lacks, and one cell for a GPU of unknown memory', () => {
  expect(machine(0, '', 4, 8, 0).map(([kind]) => kind)).toEqual(['cpu', 'memory'])
  expect(machine(1, 'Home-made card', 4, 8, 10)[0]).toEqual(['gpu', 1, 1, 1])
  expect(machine(500, 'Home-made card', 4, 8, 10)[0]).toEqual(['gpu', 64, 1, 1])
})

import { describe, expect, test } from 'vitest'
import { GPU_PRESETS } from '../presets.ts'
import { presetFit } from './fit.ts'
import { gpuClass } from './gpuClass.ts'

const preset = { gpu: 'RTX 3080', nGPU: 1, cpu: 4, mem: 16, disk: 80 }
const machine = { nCPU: 2, core: 2, nGPU: 1, gpuModel: 'RTX 3080', nMEM: 16, nDISK: 80 }

describe('fit', () => {
  test('exactly enough fits', () => expect(presetFit(preset, machine)).toEqual({ lacks: [], otherGpu: undefined }))
  test('each shortage is named', () =>
    expect(presetFit(preset, { ...machine, nCPU: 1, nGPU: 0, nMEM: 15, nDISK: 79 }).lacks).toEqual([
      { kind: 'gpu', need: 1, have: 0 },
      { kind: 'cores', need: 4, have: 2 },
      { kind: 'memory', need: 16, have: 15 },
      { kind: 'disk', need: 80, have: 79 },
    ]))
  test.each([
    'RTX 3080',
    'RTX 3090',
    'RTX 4090',
    'NVIDIA GeForce RTX 4090',
    'NVIDIA A100-80GB',
    'NVIDIA H100 80GB PCIe',
    'RTX 5090',
  ])('%s is as good as the recommended RTX 3080', (gpuModel) =>
    expect(presetFit(preset, { ...machine, gpuModel }).otherGpu).toBeUndefined(),
  )
  test.each(['RTX 2060', 'RTX 3070', 'T4', 'Voodoo 2'])('%s is a remark, not a shortage', (gpuModel) =>
    expect(presetFit(preset, { ...machine, gpuModel })).toEqual({
      lacks: [],
      otherGpu: { recommended: 'RTX 3080', have: gpuModel },
    }),
  )
})

test('every model of the price list has a class', () =>
  expect(GPU_PRESETS.filter(({ model }) => gpuClass(model) === undefined)).toEqual([]))

import { describe, expect, test } from 'vitest'
import { GPU_PRESETS } from '../presets.ts'
import { presetFit } from './fit.ts'
import { gpuClass } from './gpuClass.ts'

const preset = { gpu: { model: 'RTX 3080', count: 1, memoryGb: 0 }, cores: 4, memoryGb: 16, diskGb: 80 }
const machine = { nCPU: 2, core: 2, nGPU: 1, gpuModel: 'RTX 3080', nMEM: 16, nDISK: 80 }

describe('fit', () => {
  test('accepts exactly enough', () => expect(presetFit(preset, machine)).toEqual({ lacks: [], otherGpu: undefined }))
  test('names each shortage', () =>
    expect(presetFit(preset, { ...machine, nCPU: 1, nGPU: 0, nMEM: 15, nDISK: 79 }).lacks).toEqual([
      { kind: 'gpu', need: 1, have: 0 },
      { kind: 'cores', need: 4, have: 2 },
      { kind: 'memory', need: 16, have: 15 },
      { kind: 'disk', need: 80, have: 79 },
    ]))
  test.each([
    ['RTX 3080', 16, [{ kind: 'vram', need: 16, have: 10 }]],
    ['RTX 4090', 16, []],
    ['A100 MIG 1g.5gb', 8, [{ kind: 'vram', need: 8, have: 5 }]],
    // Nobody knows how much it has.
    ['Voodoo 2', 16, []],
  ] as const)('judges the memory of %s for an application that needs %s GB on each GPU', (gpuModel, memoryGb, lacks) =>
    expect(presetFit({ ...preset, gpu: { ...preset.gpu, memoryGb } }, { ...machine, gpuModel }).lacks).toEqual(lacks),
  )
  test.each([
    'RTX 3080',
    'RTX 3090',
    'RTX 4070',
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

test('assigns a class to every model of the price list', () =>
  expect(GPU_PRESETS.filter(({ model }) => gpuClass(model) === undefined)).toEqual([]))

test('compares no GPU where the machine has none or the preset recommends none', () => {
  expect(presetFit(preset, { ...machine, nGPU: 0, gpuModel: '' }).otherGpu).toBeUndefined()
  expect(
    presetFit({ ...preset, gpu: { model: '', count: 1, memoryGb: 0 } }, { ...machine, gpuModel: 'Voodoo 2' }).otherGpu,
  ).toBeUndefined()
  expect(
    presetFit({ ...preset, gpu: { model: 'Voodoo 2', count: 1, memoryGb: 0 } }, { ...machine, gpuModel: 'Voodoo 2' }).otherGpu,
  ).toBeUndefined()
  expect(presetFit({ ...preset, gpu: { model: 'Voodoo 2', count: 1, memoryGb: 0 } }, machine).otherGpu).toEqual({
    recommended: 'Voodoo 2',
    have: 'RTX 3080',
  })
})

test('ranks cards of one class as equal, and later classes higher', () => {
  const classes = [
    ['GTX 1060', 'GTX 1660', 'P4'],
    ['RTX 2060', 'RTX 3050', 'GTX 1080 Ti', 'T4'],
    ['RTX 2070', 'RTX 3060', 'RTX A2000'],
    ['RTX 2080', 'RTX 3060 Ti', 'RTX 4060', 'P100'],
    ['RTX 2080 Ti', 'RTX 3070', 'RTX 4060 Ti', 'L4', 'V100'],
    ['RTX 3070 Ti', 'RTX 5060 Ti', 'RTX A4000'],
    ['RTX 3080', 'RTX 4070', 'A10'],
    ['RTX 3080 Ti', 'RTX 4070 Ti', 'RTX 5070', 'RTX A5000'],
    ['RTX 3090', 'RTX 3090 Ti', 'RTX 5070 Ti', 'A40'],
    ['RTX 4080', 'RTX 5080', 'RTX A6000'],
    ['RTX 4090', 'L40', 'L40S', 'RTX 6000 Ada'],
    ['RTX 5090', 'A100'],
    ['H100'],
    ['H200'],
    ['B200'],
  ]
  expect(classes.map((models) => models.map(gpuClass))).toEqual(classes.map((models, index) => models.map(() => index)))
  expect(gpuClass('NVIDIA  Tesla_V100-SXM2-32GB')).toBe(gpuClass('V100'))
  expect(gpuClass('RTX  3080_-Ti')).toBe(gpuClass('RTX 3080 Ti'))
  expect(gpuClass('H100 SXM 80 GB')).toBe(gpuClass('H100'))
  expect(gpuClass('H100 SXMX')).toBeUndefined()
  expect(gpuClass('GTX')).toBeUndefined()
})

import { expect, test } from 'vitest'
import { gpuMemoryChoices, gpuMemoryGb } from './gpuMemory.ts'

test.each([
  ['RTX 4090', 24],
  ['NVIDIA GeForce RTX 3080 Ti', 12],
  ['RTX 3080', 10],
  ['RTX 3080 12GB', 12],
  ['RTX 2080 Ti', 11],
  ['A100', 40],
  ['A100 80GB PCIe', 80],
  ['H200 141 GB', 141],
  ['L40S', 48],
  ['T4', 16],
  ['Unheard-of', undefined],
  ['', undefined],
  ['0GB', undefined],
  [`${'9'.repeat(500)}GB`, undefined],
])('%s has %s GB', (model, memory) => expect(gpuMemoryGb(model)).toBe(memory))

test('lists every memory size that a model is sold with', () => {
  expect(gpuMemoryChoices('A100')).toEqual([40, 80])
  expect(gpuMemoryChoices('rtx 3060')).toEqual([12, 8])
})

test.each([
  ['B200', [180]],
  ['GB200', [180]],
  ['B300', [288]],
  ['H200', [141]],
  ['GH200', [96]],
  ['H20', [96]],
  ['H100', [80, 94]],
  ['H800', [80, 94]],
  ['A100', [40, 80]],
  ['A800', [40, 80]],
  ['V100', [16, 32]],
  ['P100', [12, 16]],
  ['P40', [24]],
  ['M40', [24]],
  ['A10', [24]],
  ['A10G', [24]],
  ['A30', [24]],
  ['L4', [24]],
  ['L40', [48]],
  ['L40S', [48]],
  ['L20', [48]],
  ['A40', [48]],
  ['A6000', [48]],
  ['RTX 6000 Ada', [48]],
  ['RTX PRO 6000', [96]],
  ['A5000', [24]],
  ['A5500', [24]],
  ['RTX 5000 Ada', [32]],
  ['A4500', [20]],
  ['RTX 4000 Ada', [20]],
  ['A4000', [16]],
  ['T4', [16]],
  ['A16', [16]],
  ['MI300X', [192]],
  ['MI250', [128]],
  ['MI250X', [128]],
  ['MI210', [64]],
  ['RTX 5090', [32]],
  ['RTX 5080', [16]],
  ['RTX 5070 Ti', [16]],
  ['RTX 4080', [16]],
  ['RTX 4070 Ti Super', [16]],
  ['RTX 4090', [24]],
  ['RTX 3090', [24]],
  ['RTX 5060 Ti', [8, 16]],
  ['RTX 4060 Ti', [8, 16]],
  ['RTX 5070', [12]],
  ['RTX 4070', [12]],
  ['RTX 3080 Ti', [12]],
  ['RTX 3080', [10, 12]],
  ['RTX 3060', [12, 8]],
  ['RTX 5060', [8]],
  ['RTX 4060', [8]],
  ['RTX 3070', [8]],
  ['RTX 2080', [8]],
  ['RTX 2070', [8]],
  ['RTX 2060 Super', [8]],
  ['GTX 1080', [8]],
  ['GTX 1070', [8]],
  ['RTX 3050', [8, 6]],
  ['RTX 2060', [6, 12]],
  ['GTX 1660', [6]],
  ['GTX 1650', [4]],
  ['RTX 2080 Ti', [11]],
  ['GTX 1080 Ti', [11]],
  ['RTX 3060 Ti', [8]],
] as const)('%s is sold with %j GB', (model, memory) => {
  expect(gpuMemoryChoices(model)).toEqual(memory)
  expect(gpuMemoryChoices(model.replace(/\d/, '0$&'))).toEqual([])
})

test('reads a memory size without a space before its unit, and ignores one of 0 GB', () => {
  expect(gpuMemoryGb('RTX 3080 12 GB')).toBe(12)
  expect(gpuMemoryGb('RTX 3080 12GiB')).toBe(12)
  expect(gpuMemoryGb('RTX 3080 12x GB')).toBe(10)
  expect(gpuMemoryGb('RTX 3080 12xGB')).toBe(10)
  expect(gpuMemoryGb('RTX 3080 0 GB')).toBe(10)
  expect(gpuMemoryGb(`${' '.repeat(100)}12 GB`)).toBeUndefined()
  expect(gpuMemoryGb(`${' '.repeat(100)}RTX 3080`)).toBeUndefined()
})

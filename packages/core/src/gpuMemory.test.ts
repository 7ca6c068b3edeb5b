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
])('one %s has %s GB', (model, memory) => expect(gpuMemoryGb(model)).toBe(memory))

test('a model that is sold with more than one memory has all of them', () => {
  expect(gpuMemoryChoices('A100')).toEqual([40, 80])
  expect(gpuMemoryChoices('rtx 3060')).toEqual([12, 8])
})

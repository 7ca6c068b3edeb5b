import { describe, expect, test } from 'vitest'
import { beyondMachine } from './beyondMachine.ts'

const machine = { cores: 8, memoryGb: 31, diskGb: 400, gpus: 2 }
const half = { nCPU: 1, core: 4, nGPU: 1, nMEM: 15, nDISK: 200 }

describe('what nodes offer beyond their machine', () => {
  test('two halves are a whole', () => expect(beyondMachine([half, half], machine)).toEqual([]))
  test('no node offers nothing', () => expect(beyondMachine([], machine)).toEqual([]))
  test('each part is named with its figures', () =>
    expect(beyondMachine([half, half, { ...half, nDISK: 0 }], machine)).toEqual([
      { part: 'cpu', offered: 12, there: 8 },
      { part: 'memory', offered: 45, there: 31 },
      { part: 'gpu', offered: 3, there: 2 },
    ]))
  test('one too much is too much', () =>
    expect(beyondMachine([{ ...half, nDISK: 401 }], machine)).toEqual([{ part: 'storage', offered: 401, there: 400 }]))
})

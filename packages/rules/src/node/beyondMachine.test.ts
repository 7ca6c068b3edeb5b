import { describe, expect, test } from 'vitest'
import { beyondMachine } from './beyondMachine.ts'

const machine = { cores: 8, memoryGb: 31, diskGb: 400, gpus: 2 }
const half = { nCPU: 1, core: 4, nGPU: 1, nMEM: 15, nDISK: 200 }

describe('nodes that offer more than their machine has', () => {
  test('accepts two halves', () => expect(beyondMachine([half, half], machine)).toEqual([]))
  test('accepts no nodes at all', () => expect(beyondMachine([], machine)).toEqual([]))
  test('names each part with its figures', () =>
    expect(beyondMachine([half, half, { ...half, nDISK: 0 }], machine)).toEqual([
      { part: 'cpu', offered: 12, there: 8 },
      { part: 'memory', offered: 45, there: 31 },
      { part: 'gpu', offered: 3, there: 2 },
    ]))
  test('refuses one GB too many', () =>
    expect(beyondMachine([{ ...half, nDISK: 401 }], machine)).toEqual([{ part: 'storage', offered: 401, there: 400 }]))
})

import { expect, test } from 'vitest'
import { partsLacking } from './lacks.ts'

test.each([
  [{ nCPU: 1, nMEM: 1, nDISK: 1 }, []],
  [{ nCPU: 0, nMEM: 64, nDISK: 1 }, ['cpu']],
  [{ nCPU: 2, nMEM: 0, nDISK: 100 }, ['memory']],
  [{ nCPU: 2, nMEM: 8, nDISK: 0 }, ['storage']],
  [{ nCPU: 0, nMEM: 0, nDISK: 0 }, ['cpu', 'memory', 'storage']],
] as const)('%j lacks %j', (node, parts) => expect(partsLacking(node)).toEqual(parts))

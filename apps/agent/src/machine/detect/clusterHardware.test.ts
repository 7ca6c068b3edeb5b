import { expect, it } from 'vitest'
import { hardwareOf } from './clusterHardware.ts'
import type { Hardware } from './detectHardware.ts'

const HERE = { cpu: { processors: 2, coresPerProcessor: 4 } } as Hardware
const node = (name: string, cpu: string | undefined, memory: string | undefined) => ({
  metadata: { name },
  status: { allocatable: { ...(cpu ? { cpu } : {}), ...(memory ? { memory } : {}) } },
})

it.each([
  ['1099537182209', '1031774592Ki', 2008],
  ['1052993834188800m', '1031774592Ki', 1964],
  ['1Ti', '1Ti', 2048],
  ['1e12', '0.5Pi', 525_219],
])('adds %s and %s of memory', (one, other, gb) => {
  const { memoryGb } = hardwareOf([node('a', '1', one), node('b', '1', other)], 100, HERE)
  expect(memoryGb).toBe(gb)
})

it('adds processors in any spelling', () => {
  const nodes = [node('a', '126999500u', '1Gi'), node('b', '127', '1Gi')]
  expect(hardwareOf(nodes, 100, HERE)).toMatchObject({ cpu: { processors: 1, coresPerProcessor: 253 }, diskGb: 100 })
})

it.each([
  [node('b', '4', undefined), 'allocatable memory of node b is missing'],
  [node('b', '4', '12 GB'), 'allocatable memory of node b is "12 GB"'],
  [node('b', '-1', '1Gi'), 'allocatable cpu of node b is "-1"'],
])('names a node whose size it cannot read', (broken, message) => {
  expect(() => hardwareOf([node('a', '1', '1Gi'), broken], 100, HERE)).toThrow(message)
})

import { expect, test } from 'vitest'
import { gbToTb, tbToGb } from './name.ts'
import { resourcesOf } from './node.ts'

test.each([
  [0, '0'],
  [1, '0.001'],
  [20, '0.02'],
  [500, '0.5'],
  [999, '0.999'],
  [1000, '1'],
  [1010, '1.01'],
  [1500, '1.5'],
  [20_000, '20'],
  [1_048_576, '1048.576'],
])('formats %i GB as %s TB, without trailing zeros', (gb, tb) => {
  expect(gbToTb(gb)).toBe(tb)
  expect(tbToGb(tb)).toBe(gb)
})

test.each([
  [' 1.5 ', 1500],
  ['0.500', 500],
  ['1.05', 1050],
  ['9999999', 9_999_999_000],
])('parses %j TB as %i GB', (tb, gb) => expect(tbToGb(tb)).toBe(gb))

test.each(['', '.5', '1.', '1,5', '1.0005', '-1', '+1', '1e3', '10000000', '1 000', 'x1', '1.5x', '1.5 TB'])(
  '%j is not a number of TB',
  (tb) => expect(tbToGb(tb)).toBeUndefined(),
)

test('an order takes all resources of its node', () =>
  expect(
    resourcesOf({
      cpu: { model: 'EPYC 7402', count: 2, cores: 24 },
      gpu: { model: 'RTX 4090', count: 4 },
      memoryGb: 256,
      diskGb: 4000,
    }),
  ).toEqual({ nCPU: 2, nGPU: 4, nMEM: 256, nDISK: 4000 }))

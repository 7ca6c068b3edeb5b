import { expect, test } from 'vitest'
import { checkNodeFields, checkProviderFields } from '../formRules.ts'
import { parseCredit } from '../money.ts'
import { tbToGb } from '../node/name.ts'
import { plainNumber } from './plainNumber.ts'

test.each([
  ['１２', '12'],
  ['１２．５', '12.5'],
  ['１２。５', '12.5'],
  ['\u3000７ ', '7'],
  ['－３', '-3'],
  ['1²', '1²'],
  ['½', '½'],
  ['1,5', '1,5'],
  ['1 2', '1 2'],
])('%j is %j', (typed, plain) => expect(plainNumber(typed)).toBe(plain))

test('every reader of numbers takes full-width digits', () => {
  expect(parseCredit('１２．５')).toBe(125n * 10n ** 17n)
  expect(parseCredit('1²')).toBeUndefined()
  expect(tbToGb('１．５')).toBe(1500)
  expect(checkProviderFields({ name: 'x', ip: '203.0.113.7', port: '７０７０', domain: '' })).toEqual({})
  const node = {
    ...{ cpuModel: 'X', nCPU: '２', core: '１６', pCPU: '４３．５', gpuModel: '', nGPU: '', pGPU: '' },
    ...{ diskTb: '１', pDISKPerTb: '６', memGb: '６４', pMEM: '０．１' },
  }
  expect(checkNodeFields(node)).toMatchObject({ input: { nCPU: 2, core: 16, nMEM: 64, nDISK: 1000, pCPU: 435n * 10n ** 17n } })
})

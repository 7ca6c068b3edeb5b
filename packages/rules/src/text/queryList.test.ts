import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeList, encodeList } from './queryList.ts'

describe('a list of names in one query parameter', () => {
  it('is read as a person types it', () => {
    expect(decodeList(' RTX 4090, RTX 3090,, ')).toEqual(['RTX 4090', 'RTX 3090'])
    expect(encodeList(['RTX 4090', 'RTX 3090'])).toBe('RTX 4090,RTX 3090')
    expect(decodeList('100%, %zz, %ff')).toEqual(['100%', '%zz', '%ff'])
  })

  it('is read as a browser encodes it, with multi-byte characters', () =>
    expect(decodeList('%E6%BC%A2%e5%ad%97 %C3%A9,%20x')).toEqual(['漢字 é', ' x']))

  it('keeps commas, percent signs and surrounding spaces of every name', () => {
    expect(encodeList(['Xeon E5, v4', ' 7%'])).toBe('Xeon E5%2C v4,%207%25')
    const names = fc.array(fc.string({ minLength: 1, maxLength: 31, unit: fc.constantFrom(...'aB4 ,%\t2C漢') }))
    fc.assert(
      fc.property(names, (list) => {
        expect(decodeList(encodeList(list))).toEqual(list)
      }),
    )
  })
})

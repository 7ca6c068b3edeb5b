import { expect, it } from 'vitest'
import { lowerCaseAddress, toAddress } from './address.ts'

const MIXED = '0x00000000000000000000000000000000000000Aa'

it('normalises every notation of an address', () => {
  expect(toAddress(MIXED)).toBe(MIXED.toLowerCase())
  expect(toAddress(MIXED)).toBe(lowerCaseAddress(MIXED.toUpperCase()))
})

it.each(['', '0x', MIXED.slice(0, -1), `${MIXED}0`, MIXED.replace('0x', '0y'), ` ${MIXED}`, `${MIXED}\n`])(
  '%j is not an address',
  (text) => expect(toAddress(text)).toBeUndefined(),
)

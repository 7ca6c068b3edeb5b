import { expect, it } from 'vitest'
import { addressProblem } from './addressProblem.ts'

const a = `0x${'ab'.repeat(20)}`
const b = `0x${'CD'.repeat(20)}`

it('validates an address', () => {
  expect(addressProblem(` ${a} `, { current: b, own: b })).toBeUndefined()
  expect(addressProblem('0x12')).toBe('invalid')
  expect(addressProblem(`0x${'0'.repeat(40)}`)).toBe('zero')
  expect(addressProblem(b.toLowerCase(), { current: b })).toBe('same')
  expect(addressProblem(b, { own: b.toLowerCase() })).toBe('own')
})

import { expect, test } from 'vitest'
import { displayName, nameSkeleton, visibleName } from './displayName.ts'

const ADDRESS = '0x00000000000000000000000000000000000012ab'

test('removes invisible characters and bidirectional overrides from names', () => {
  expect(visibleName('x\u202egnp')).toBe('xgnp')
  expect(visibleName(' no\u200brth\u00a0\u2003star\0 ')).toBe('north star')
  expect(visibleName(`z${'\u0300'.repeat(40)}`)).toHaveLength(3)
  expect(visibleName('北方 Café')).toBe('北方 Café')
})

test.each([
  ['north', 'NORTH'],
  ['north', 'nоrth'],
  ['north', 'n\u200borth '],
  ['helios', 'he1ios'],
  ['helios', 'hélios'],
  ['modern', 'modem'],
  ['token', 'τοκεn'],
  ['box-15', 'вох-l5'],
  ['sys|8', 'ѕуѕlb'],
  ['rack-fair', 'rackfair'],
])('%s and %s are confusable', (one, other) => expect(nameSkeleton(one)).toBe(nameSkeleton(other)))

test.each([
  ['north', 'south'],
  ['北方', '南方'],
  ['north', 'north 2'],
])('%s and %s are not', (one, other) => expect(nameSkeleton(one)).not.toBe(nameSkeleton(other)))

test('appends the end of the address to a name that is taken or invisible', () => {
  expect(displayName('north', ADDRESS, false)).toBe('north')
  expect(displayName('nоrth', ADDRESS, true)).toBe('nоrth (…12ab)')
  expect(displayName('\u200b', ADDRESS, false)).toBe('(…12ab)')
})

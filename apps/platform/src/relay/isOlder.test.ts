import { expect, it } from 'vitest'
import { isOlder } from './isOlder.ts'

it.each([
  ['0.1.0', '0.2.0', true],
  ['0.2.0', '0.2.0', false],
  ['0.10.0', '0.9.9', false],
  ['1.0.0', '0.9.9', false],
  ['0.2.0-rc.1', '0.2.0', false],
  ['0.1.99', '0.2.0', true],
  ['', '0.2.0', true],
  ['test', '0.0.1', true],
])('%j before %j: %s', (version, than, older) => expect(isOlder(version, than)).toBe(older))

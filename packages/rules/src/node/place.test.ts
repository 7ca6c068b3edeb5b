import { expect, it } from 'vitest'
import { DRIVER_VERSION, isDriverFrom, REGION } from './place.ts'

it.each([
  ['550.90.07', '550', true],
  ['550.90.07', '550.90.7', true],
  ['550.90.07', '550.90.08', false],
  ['550', '550.0.0', true],
  ['550', '550.1', false],
  ['1000.1', '999.9', true],
  ['49.1', '450', false],
])('the driver %s is from %s on: %s', (version, least, expected) => {
  expect(isDriverFrom(version, least)).toBe(expected)
})

it('takes countries and versions, and no other text', () => {
  expect(['DE', 'de', 'DEU', 'D', 'Germany', ''].map((text) => REGION.test(text))).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ])
  expect(['550.90.07', '6.7', '535', '550.', 'v550', '1.2.3.4.5', ''].map((text) => DRIVER_VERSION.test(text))).toEqual([
    ...[true, true, true],
    ...[false, false, false, false],
  ])
})

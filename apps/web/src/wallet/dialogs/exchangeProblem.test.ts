import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { expect, it } from 'vitest'
import { readExchange } from './exchangeProblem.ts'

it.each([
  ['', { problem: 'not_a_number' }],
  ['-1', { problem: 'not_a_number' }],
  ['1e3', { problem: 'not_a_number' }],
  ['0', { problem: 'too_small' }],
  ['0.0000001', { problem: 'too_small' }],
  ['1.0000001', { problem: 'too_small' }],
  ['5.000001', { problem: 'too_much' }],
  ['5', { wei: 5n * ONE_CREDIT_WEI }],
  ['0.000001', { wei: 10n ** 12n }],
])('checks %j against a balance of 5', (text, expected) => {
  expect(readExchange(text, 5n * ONE_CREDIT_WEI)).toEqual(expected)
})

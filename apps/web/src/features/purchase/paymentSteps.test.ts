import { expect, test } from 'vitest'
import { paymentSteps } from './paymentSteps.ts'

const states = (...values: Parameters<typeof paymentSteps>) => paymentSteps(...values).map((step) => `${step.key} ${step.state}`)

test('a permit costs no transaction of its own', () =>
  expect(states({ way: 'permit', stage: 'waiting', failed: false, hash: '0x1' })).toEqual([
    'quote done',
    'permit done',
    'send now',
    'done next',
  ]))

test('a batch (or an allowance from an earlier try) has one step less', () =>
  expect(states({ way: 'direct', stage: 'wallet', failed: false })).toEqual(['quote done', 'send now', 'done next']))

test('an approval shows its own transaction', () => {
  const steps = paymentSteps({ way: 'approve', stage: 'allow', failed: false, approveHash: '0xa' })
  expect(steps.map((step) => step.state)).toEqual(['done', 'now', 'next', 'next'])
  expect(steps[1]?.hash).toBe('0xa')
})

test('a failure marks the step it happened in', () => {
  expect(states({ way: 'permit', stage: 'quote', failed: true })[0]).toBe('quote failed')
  expect(states({ way: 'permit', stage: 'waiting', failed: true })[2]).toBe('send failed')
})

test('at the end everything is done', () =>
  expect(states({ way: 'approve', stage: 'done', failed: false })).toEqual([
    'quote done',
    'approve done',
    'send done',
    'done done',
  ]))

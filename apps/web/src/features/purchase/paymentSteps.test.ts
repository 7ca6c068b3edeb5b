import { AppError } from '@rackfair/core'
import type { ErrorCode } from '@rackfair/sdk'
import type { TransactionReceipt } from 'viem'
import { expect, test } from 'vitest'
import { paymentSteps } from './paymentSteps.ts'

const states = (...values: Parameters<typeof paymentSteps>) => paymentSteps(...values).map((step) => `${step.key} ${step.state}`)
const error = new AppError<ErrorCode>('rpc_unreachable', 'gone')

test('a permit costs no transaction of its own', () =>
  expect(states({ at: 'waiting', way: 'permit', hash: '0x1' })).toEqual(['quote done', 'permit done', 'send now', 'done next']))

test('a batch (or an allowance from an earlier try) has one step less', () =>
  expect(states({ at: 'wallet', way: 'direct' })).toEqual(['quote done', 'send now', 'done next']))

test('an approval shows its own transaction', () => {
  const steps = paymentSteps({ at: 'allow', way: 'approve', approveHash: '0xa' })
  expect(steps.map((step) => step.state)).toEqual(['done', 'now', 'next', 'next'])
  expect(steps[1]?.hash).toBe('0xa')
})

test('a failure marks the step it happened in', () => {
  expect(states({ at: 'failed', during: 'quote', way: 'permit', error })[0]).toBe('quote failed')
  expect(states({ at: 'failed', during: 'waiting', way: 'permit', error })[2]).toBe('send failed')
})

test('at the end everything is done', () =>
  expect(states({ at: 'done', way: 'approve', receipt: {} as TransactionReceipt })).toEqual([
    'quote done',
    'approve done',
    'send done',
    'done done',
  ]))

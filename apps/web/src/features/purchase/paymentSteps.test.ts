import { AppError } from '@rackfair/rules/errors/AppError'
import type { ErrorCode } from '@rackfair/sdk'
import type { TransactionReceipt } from 'viem'
import { expect, test } from 'vitest'
import { paymentSteps } from './paymentSteps.ts'

const states = (...values: Parameters<typeof paymentSteps>) => paymentSteps(...values).map((step) => `${step.key} ${step.state}`)
const error = new AppError<ErrorCode>('rpc_unreachable', 'gone')

test('needs no separate transaction for a permit', () =>
  expect(states({ at: 'waiting', way: 'permit', hash: '0x1' })).toEqual(['quote done', 'permit done', 'send now', 'done next']))

test('has one step less for a batch or an existing allowance', () =>
  expect(states({ at: 'wallet', way: 'direct' })).toEqual(['quote done', 'send now', 'done next']))

test('shows the transaction of an approval', () => {
  const steps = paymentSteps({ at: 'allow', way: 'approve', approveHash: '0xa' })
  expect(steps.map((step) => step.state)).toEqual(['done', 'now', 'next', 'next'])
  expect(steps[1]?.hash).toBe('0xa')
})

test('marks the failed step', () => {
  expect(states({ at: 'failed', during: 'quote', way: 'permit', error })[0]).toBe('quote failed')
  expect(states({ at: 'failed', during: 'waiting', way: 'permit', error })[2]).toBe('send failed')
})

test('ends with everything done', () =>
  expect(states({ at: 'done', way: 'approve', receipt: {} as TransactionReceipt })).toEqual([
    'quote done',
    'approve done',
    'send done',
    'done done',
  ]))

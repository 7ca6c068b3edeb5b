import { findingsAbi, marketAbi, monitorsAbi, registryAbi } from '@rackfair/contracts'
import { AppError } from '@rackfair/rules/errors/AppError'
import { BaseError, encodeErrorResult, type Hex, parseAbi } from 'viem'
import { expect, it } from 'vitest'
import { toAppError } from './toAppError.ts'
import { toWalletError } from './toWalletError.ts'

const refusal = (data: Hex) => toAppError(Object.assign(new Error('execution reverted'), { data }))

it('decodes the errors of Monitors and Findings with their facts', () => {
  const tooSoon = encodeErrorResult({ abi: findingsAbi, errorName: 'MaintenanceTooSoon', args: [7n, 1_796_090_400n] })
  expect(refusal(tooSoon)).toMatchObject({ code: 'MaintenanceTooSoon', facts: { firstEpoch: '7', earliest: '1796090400' } })
  const bonded = encodeErrorResult({ abi: monitorsAbi, errorName: 'StillBonded', args: [2 ** 40 - 1] })
  expect(refusal(bonded)).toMatchObject({ code: 'StillBonded', facts: { until: 2 ** 40 - 1 } })
})

it('distinguishes two errors of the same name', () => {
  const ofRegistry = encodeErrorResult({ abi: registryAbi, errorName: 'TooManyNodes', args: [16n] })
  expect(refusal(ofRegistry)).toMatchObject({ code: 'TooManyNodes', facts: { max: '16' }, message: 'TooManyNodes(16)' })
  const ofFindings = encodeErrorResult({ abi: findingsAbi, errorName: 'TooManyNodes', args: [51n, 50n] })
  expect(refusal(ofFindings)).toMatchObject({ code: 'TooManyNodes', facts: { nodes: '51', max: '50' } })
})

it('decodes the fields of a struct as separate facts', () => {
  const have = { probation: 600, holdback: 86_400, penalty: 0, commissionBps: 700 }
  const changed = encodeErrorResult({ abi: marketAbi, errorName: 'ConditionsChanged', args: [have] })
  expect(refusal(changed)).toMatchObject({ facts: have, message: 'ConditionsChanged(600, 86400, 0, 700)' })
})

const closed = encodeErrorResult({ abi: registryAbi, errorName: 'TooManyNodes', args: [16n] })
const wrapped = (inner: Error, times: number): Error =>
  times === 0 ? inner : new Error('outer', { cause: wrapped(inner, times - 1) })

it.each([
  ['raw', { raw: closed }],
  ['data', { data: closed }],
  ['the data of data', { data: { data: closed } }],
  ['data in capitals', { data: `0x${closed.slice(2).toUpperCase()}` }],
])('finds the revert data in %s', (_, fields) => {
  expect(toAppError(Object.assign(new Error('reverted'), fields))).toMatchObject({ code: 'TooManyNodes' })
})

it.each([
  ['no hex digits', 'zz'],
  ['three bytes', '0x123456'],
  ['text before', `x${closed}`],
  ['text behind', `${closed}x`],
  ['an answer in a list', [closed]],
  ['a number', 7],
])('ignores %s as revert data and searches on', (_, raw) => {
  expect(toAppError(Object.assign(new Error('reverted'), { raw }))).toMatchObject({ code: 'unknown', message: 'reverted' })
  expect(toAppError(Object.assign(new Error('reverted'), { raw, data: closed })).code).toBe('TooManyNodes')
})

it.each([
  ['an error of nobody we know', '0x12345678'],
  ['an error of ours that is cut off', closed.slice(0, -2) as Hex],
  ['a sentence', encodeErrorResult({ abi: parseAbi(['error Error(string)']), errorName: 'Error', args: ['no'] })],
] as const)('has no code for %s', (_, data) => {
  expect(refusal(data)).toMatchObject({ code: 'unknown', message: 'execution reverted' })
})

it('searches sixteen causes, and prefers the contract’s error', () => {
  const inner = Object.assign(new Error('reverted'), { data: closed })
  expect(toAppError(wrapped(inner, 15)).code).toBe('TooManyNodes')
  expect(toAppError(wrapped(inner, 16)).code).toBe('unknown')
  const unreachable = Object.assign(new Error('no answer', { cause: inner }), { name: 'HttpRequestError' })
  expect(toAppError(unreachable).code).toBe('TooManyNodes')
})

it.each([
  [4001, 'user_rejected'],
  [4100, 'wallet_locked'],
  [4900, 'not_connected'],
  [4901, 'not_connected'],
  [4902, 'unknown'],
  [undefined, 'unknown'],
])('maps wallet code %s to %s', (code, meaning) => {
  expect(toAppError(new Error('outer', { cause: Object.assign(new Error('refused'), { code }) })).code).toBe(meaning)
})

it.each([
  ['HttpRequestError', 'rpc_unreachable', true],
  ['WaitForTransactionReceiptTimeoutError', 'transaction_timeout', true],
  ['ChainMismatchError', 'wrong_network', false],
])('maps %s to %s', (name, code, retryable) => {
  const error = Object.assign(new Error('why'), { name })
  expect(toAppError(error)).toMatchObject({ code, retryable, message: 'why', cause: error })
})

it('keeps an error that has its code already', () => {
  const cause = Object.assign(new Error('reverted'), { data: closed })
  const error = new AppError('order_not_found', 'order 7', { cause })
  expect(toAppError(error)).toBe(error)
  expect(toWalletError(error)).toBe(error)
})

it('passes on the original message of an unknown error', () => {
  expect(toAppError('odd')).toMatchObject({ code: 'unknown', message: 'odd', cause: 'odd', retryable: false })
  expect(toAppError(new BaseError('Short.', { details: 'nonce too low' })).message).toBe('Short. nonce too low')
  expect(toAppError(new BaseError('Short: nonce too low.', { details: 'nonce too low' })).message).toBe('Short: nonce too low.')
  expect(toAppError(new BaseError('Short.')).message).toBe('Short.')
})

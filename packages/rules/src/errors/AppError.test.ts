import { expect, test } from 'vitest'
import { AppError } from './AppError.ts'

test('has neither facts nor cause and is not retryable by default', () => {
  const error = new AppError('not_found', 'order 7')
  expect(error).toMatchObject({ name: 'AppError', code: 'not_found', message: 'order 7', facts: {}, retryable: false })
  expect('cause' in error).toBe(false)
})

test('keeps its facts, its cause and whether to retry', () => {
  const cause = new Error('socket closed')
  const error = new AppError('rpc_unreachable', 'no answer', { facts: { tries: 3 }, cause, retryable: true })
  expect(error).toMatchObject({ facts: { tries: 3 }, retryable: true })
  expect(error.cause).toBe(cause)
})

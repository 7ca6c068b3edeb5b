import { AppError } from '@rackfair/rules/errors/AppError'
import { StreamError } from '@rackfair/sealed'
import { expect, test } from 'vitest'
import { toWorkspaceError } from './toWorkspaceError.ts'

test.each([
  ['stream_interrupted', true],
  ['stream_broken', true],
  ['provider_offline', true],
  ['platform_unreachable', true],
  ['chain_unreachable', true],
  ['agent_busy', true],
  ['rate_limited', true],
  ['upload_in_progress', true],
  ['key_revoked', false],
  ['app_not_running', false],
])('%s is retryable: %s', (code, retryable) => {
  expect(toWorkspaceError(new StreamError(code, 'why'))).toMatchObject({ code, message: 'why', retryable })
})

test('keeps an error of ours, and uses a code without a sentence as the message', () => {
  const error = new AppError('order_not_owned', 'order 7')
  expect(toWorkspaceError(error)).toBe(error)
  expect(toWorkspaceError({ code: 'agent_busy' })).toMatchObject({ code: 'agent_busy', message: 'agent_busy' })
})

test.each([[new Error('odd')], ['odd'], [null], [undefined], [{ code: 7 }]])('treats %s as an interruption', (error) => {
  const interruption = toWorkspaceError(error)
  expect(interruption).toMatchObject({ code: 'stream_interrupted', message: String(error), retryable: true })
  expect(interruption.cause).toBe(error)
})

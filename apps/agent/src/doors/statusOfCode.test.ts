import { expect, it } from 'vitest'
import { statusOfCode } from './statusOfCode.ts'

it.each([
  ['text_malformed', 400],
  ['wrong_signer', 401],
  ['order_not_owned', 403],
  ['preset_unknown', 404],
  ['text_replayed', 409],
  ['once_taken', 409],
  ['agent_busy', 429],
])('maps %s to %i', (code, status) => {
  expect(statusOfCode(code)).toBe(status)
})

it('calls anything unforeseen retryable', () => {
  for (const code of ['chain_unreachable', 'internal', '']) expect(statusOfCode(code)).toBe(503)
})

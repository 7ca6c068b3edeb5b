import { AppError } from '@rackfair/rules/errors/AppError'
import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { currentToasts } from '../../ui/toastStore.ts'
import { useErrorToast } from './useErrorToast.ts'

test('shows a failed write as a red toast titled "Error Message", of at most 100 characters', () => {
  const { result } = renderHook(useErrorToast)
  result.current(new AppError('StaleNode', 'StaleNode(1, 2)'))
  const shown = currentToasts().at(-1)
  expect(shown).toMatchObject({ tone: 'bad', title: 'Error Message' })
  expect([...String(shown?.text)].length).toBeLessThanOrEqual(100)
  expect(shown?.details).toContain('Check price and resources again')
})

test('shows nothing when the user declines in the wallet', () => {
  const before = currentToasts().length
  const { result } = renderHook(useErrorToast)
  result.current(new AppError('user_rejected', 'User rejected the request'))
  expect(currentToasts()).toHaveLength(before)
})

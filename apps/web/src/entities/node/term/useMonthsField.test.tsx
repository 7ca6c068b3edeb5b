import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useMonthsField } from './useMonthsField.ts'

beforeEach(() => {
  vi.useFakeTimers()
  window.history.replaceState(null, '', '/addorder?node=3')
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const rest = () => act(() => vi.runAllTimers())

test('leaves the URL unchanged until other months are chosen', () => {
  const { result } = renderHook(useMonthsField)
  rest()
  expect(result.current.settled).toBe(1)
  expect(window.location.search).toBe('?node=3')
})

test('writes valid months to the URL after a pause', () => {
  const { result } = renderHook(useMonthsField)
  act(() => result.current.setText('3'))
  expect(result.current).toMatchObject({ months: 3, settled: 1 })
  rest()
  expect(result.current.settled).toBe(3)
  expect(window.location.search).toBe('?node=3&months=3')
  act(() => result.current.setText('3 weeks'))
  rest()
  expect(result.current.settled).toBeUndefined()
  expect(window.location.search).toBe('?node=3&months=3')
})

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

test('the address is left as it is until other months are chosen', () => {
  const { result } = renderHook(useMonthsField)
  rest()
  expect(result.current.settled).toBe(1)
  expect(window.location.search).toBe('?node=3')
})

test('months are kept in the address once they rest, and what is none is not', () => {
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

import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useTermField } from './useTermField.ts'

beforeEach(() => {
  vi.useFakeTimers()
  window.history.replaceState(null, '', '/addorder?node=3')
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const rest = () => act(() => vi.runAllTimers())

test('leaves the URL unchanged until another term is chosen', () => {
  const { result } = renderHook(() => useTermField())
  rest()
  expect(result.current.settled).toBe(3_600)
  expect(window.location.search).toBe('?node=3')
})

test('writes a valid term to the URL, and asks for its price after a pause', () => {
  const { result } = renderHook(() => useTermField())
  act(() => result.current.setTerm({ text: '3', unit: 'hour' }))
  expect(result.current).toMatchObject({ seconds: 10_800, settled: 3_600, isSettled: false })
  expect(renderHook(() => useTermField()).result.current).toMatchObject({ seconds: 10_800 })
  rest()
  expect(result.current.settled).toBe(10_800)
  expect(window.location.search).toBe('?node=3&for=3h')
  act(() => result.current.setTerm({ text: '3 weeks', unit: 'day' }))
  rest()
  expect(result.current.settled).toBeUndefined()
  expect(window.location.search).toBe('?node=3&for=3h')
})

import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useDraft } from './useDraft.ts'

beforeEach(() => {
  vi.useFakeTimers()
  window.history.replaceState(null, '', '/nodelist')
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function typed() {
  const settle = vi.fn()
  const { result } = renderHook(() => useDraft<string>('', settle))
  act(() => result.current[1]('rtx'))
  return settle
}

test('passes on what was typed after a pause', () => {
  const settle = typed()
  act(() => vi.runAllTimers())
  expect(settle).toHaveBeenCalledWith('rtx')
})

test('drops it once another page is open, whose URL it would overwrite', () => {
  const settle = typed()
  window.history.pushState(null, '', '/addorder?provider=0xaa&node=1')
  act(() => vi.runAllTimers())
  expect(settle).not.toHaveBeenCalled()
})

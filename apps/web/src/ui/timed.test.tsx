import { act, cleanup, render, renderHook, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Toaster } from './Toaster.tsx'
import { DEPLOY_NOTICE_MS, NOTICE_MS, toast } from './toastStore.ts'
import { useCopy } from './useCopy.ts'

beforeEach(() => {
  vi.useFakeTimers()
  // happy-dom has no popovers.
  HTMLElement.prototype.showPopover = () => undefined
  HTMLElement.prototype.hidePopover = () => undefined
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test.each([
  ['a toast', 7000, {}],
  ['a waiting or success notice', 15_000, { timeout: NOTICE_MS }],
  ['the notice of a deployment', 20_000, { timeout: DEPLOY_NOTICE_MS }],
] as const)('%s is green or red and goes after %i ms', (title, milliseconds, timeout) => {
  render(<Toaster />)
  for (const tone of ['good', 'bad'] as const) {
    act(() => void toast({ tone, title: `${title} ${tone}`, ...timeout }))
    expect(screen.getByText(`${title} ${tone}`).className).toContain(tone === 'good' ? 'text-idle' : 'text-bad')
  }
  act(() => vi.advanceTimersByTime(milliseconds - 1))
  expect(screen.queryAllByRole('listitem')).toHaveLength(2)
  act(() => vi.advanceTimersByTime(1))
  expect(screen.queryAllByRole('listitem')).toHaveLength(0)
})

test('"Copied" is shown for 1500 ms', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  const { result } = renderHook(useCopy)
  await act(() => result.current.copy('0x1'))
  expect(result.current.copied).toBe(true)
  act(() => vi.advanceTimersByTime(1499))
  expect(result.current.copied).toBe(true)
  act(() => vi.advanceTimersByTime(1))
  expect(result.current.copied).toBe(false)
})

import { act, cleanup, fireEvent, render, renderHook, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Dialog } from './Dialog.tsx'
import { Toaster } from './Toaster.tsx'
import { currentToasts, DEPLOY_NOTICE_MS, dismissToast, NOTICE_MS, toast } from './toastStore.ts'
import { useCopy } from './useCopy.ts'

beforeEach(() => {
  // Files share their modules: another one's messages may still be there.
  for (const { id } of currentToasts()) dismissToast(id)
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
] as const)('%s is green or red and disappears after %i ms', (title, milliseconds, timeout) => {
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

test('replaces earlier failures by a success, and keeps other successes', () => {
  render(<Toaster />)
  act(() => void toast({ tone: 'good', title: 'Provider updated' }))
  act(() => void toast({ tone: 'bad', title: 'The faucet did not answer' }))
  act(() => void toast({ tone: 'good', title: 'Credit has arrived' }))
  expect(screen.queryByText('The faucet did not answer')).toBeNull()
  expect(screen.getAllByRole('listitem')).toHaveLength(2)
  act(() => vi.runAllTimers())
})

test('neither stops nor extends a toast when a dialog opens or closes', () => {
  const { rerender } = render(<Page dialog={false} />)
  act(() => void toast({ tone: 'good', title: 'Goes in time' }))
  act(() => vi.advanceTimersByTime(3000))
  rerender(<Page dialog />)
  expect(screen.getByText('Goes in time').closest('dialog')).not.toBeNull()
  act(() => vi.advanceTimersByTime(3000))
  rerender(<Page dialog={false} />)
  expect(screen.getByText('Goes in time').closest('dialog')).toBeNull()
  act(() => vi.advanceTimersByTime(999))
  expect(screen.queryByText('Goes in time')).not.toBeNull()
  act(() => vi.advanceTimersByTime(1))
  expect(screen.queryByText('Goes in time')).toBeNull()
})

test('keeps a toast under the pointer, even when a dialog covers it, and restarts its time', () => {
  const { rerender } = render(<Page dialog={false} />)
  act(() => void toast({ tone: 'bad', title: 'Being read' }))
  fireEvent.mouseEnter(screen.getByRole('listitem'))
  act(() => vi.advanceTimersByTime(60_000))
  expect(screen.queryByText('Being read')).not.toBeNull()
  rerender(<Page dialog />)
  act(() => vi.advanceTimersByTime(6999))
  expect(screen.queryByText('Being read')).not.toBeNull()
  act(() => vi.advanceTimersByTime(1))
  expect(screen.queryByText('Being read')).toBeNull()
})

function Page({ dialog }: { dialog: boolean }) {
  return (
    <>
      <Dialog open={dialog} onClose={() => undefined} title="A dialog">
        Text
      </Dialog>
      <Toaster />
    </>
  )
}

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

test('reports a blocked clipboard, and does not show "Copied"', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('NotAllowedError'))
  render(<Toaster />)
  const { result } = renderHook(useCopy)
  await act(() => result.current.copy('0x1'))
  expect(result.current.copied).toBe(false)
  expect(screen.getByText('Not copied').className).toContain('text-bad')
})

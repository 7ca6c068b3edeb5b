import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pause } from './pause.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('waits for the given time, and then removes its abort listener', async () => {
  const { signal } = new AbortController()
  const ended = vi.fn()
  const waiting = pause(30, signal).then(ended)
  await vi.advanceTimersByTimeAsync(29)
  expect([ended.mock.calls.length, getEventListeners(signal, 'abort').length]).toEqual([0, 1])
  await vi.advanceTimersByTimeAsync(1)
  await waiting
  expect([ended.mock.calls.length, getEventListeners(signal, 'abort').length]).toEqual([1, 0])
})

test('works without a signal', async () => {
  const waiting = pause(30)
  await vi.advanceTimersByTimeAsync(30)
  await waiting
})

test('rejects with the reason of its signal, at once if that is already aborted', async () => {
  const controller = new AbortController()
  const waiting = pause(30, controller.signal)
  controller.abort('enough')
  await expect(waiting).rejects.toBe('enough')
  await expect(pause(30, controller.signal)).rejects.toBe('enough')
  expect(vi.getTimerCount()).toBe(0)
})

import { expect, test } from 'vitest'
import { Tail } from './Tail.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('keeps all of what is short', () => {
  const tail = new Tail(100)
  for (const piece of ['ab', '', 'cd']) tail.add(bytes(piece))
  expect([tail.text(), tail.droppedBytes]).toEqual(['abcd', 0])
})

test.each([1, 7, 1_000, 9_999, 10_000, 10_001, 50_000])('keeps the end of what comes in pieces of %i bytes', (size) => {
  const whole = Array.from({ length: 60_000 }, (_, at) => String.fromCharCode(97 + (at % 26))).join('')
  const tail = new Tail(10_000)
  for (let at = 0; at < whole.length; at += size) tail.add(bytes(whole.slice(at, at + size)))
  expect(tail.text()).toBe(whole.slice(-10_000))
  expect(tail.droppedBytes).toBe(50_000)
})

test('reads a character whose bytes come apart', () => {
  const tail = new Tail(100)
  for (const byte of bytes('日本')) tail.add(Uint8Array.of(byte))
  expect(tail.text()).toBe('日本')
})

test.each([4, 5, 6])('begins with a whole character where %i bytes are kept', (kept) => {
  const tail = new Tail(kept)
  tail.add(bytes('日本語'))
  expect([tail.text(), tail.droppedBytes]).toEqual(kept < 6 ? ['語', 6] : ['本語', 3])
})

import { encodeFrame, FRAME } from '@rackfair/protocol/frames'
import { expect, test } from 'vitest'
import { FrameBuffer } from './FrameBuffer.ts'

test.each([1, 2, 3, 5, 7, 64, 10_000])('decodes frames unchanged from chunks of %i bytes', (size) => {
  const sent = [0, 1, 4, 300, 5].map((length, type) => ({ type, payload: Array.from({ length }, (_, at) => (at * 31) % 256) }))
  const bytes = Uint8Array.from(sent.flatMap(({ type, payload }) => [...encodeFrame(type, Uint8Array.from(payload))]))
  const buffer = new FrameBuffer()
  const read = []
  for (let at = 0; at < bytes.length; at += size) read.push(...buffer.push(bytes.subarray(at, at + size)))
  expect(read.map(({ type, payload }) => ({ type, payload: [...payload] }))).toEqual(sent)
})

test('drops a partial frame between streams, and refuses an oversized one', () => {
  const buffer = new FrameBuffer()
  const frame = encodeFrame(FRAME.bytes, new Uint8Array([1, 2, 3]))
  expect(buffer.push(frame.subarray(0, 6))).toEqual([])
  buffer.clear()
  expect(buffer.push(frame)).toHaveLength(1)
  expect(() => buffer.push(new Uint8Array([0xff, 0, 0, 0, 1]))).toThrow('larger')
})

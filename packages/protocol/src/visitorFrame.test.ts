import { expect, test } from 'vitest'
import { decodeVisitorFrame, encodeVisitorFrame, VISITOR } from './visitorFrame.ts'

test('decodes a visitor frame, even out of a larger buffer', () => {
  const frame = { type: VISITOR.data, visitor: 4_294_967_295, body: Uint8Array.of(1, 2, 3) }
  const bytes = encodeVisitorFrame(frame)
  expect(decodeVisitorFrame(bytes)).toEqual(frame)
  expect(decodeVisitorFrame(Buffer.concat([Buffer.from('xx'), bytes]).subarray(2))).toMatchObject({ visitor: 4_294_967_295 })
})

test.each([[[]], [[2, 0, 0, 0]], [[0, 0, 0, 0, 1]], [[4, 0, 0, 0, 1]]])('%j is not a frame', (bytes) => {
  expect(decodeVisitorFrame(Uint8Array.from(bytes))).toBeUndefined()
})

import { MAX_DATE_MS } from '@rackfair/rules/limits'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeJson, encodeFrame, encodeJson, FRAME, type Frame, MAX_FRAME_BYTES, readFrames } from './frames.ts'
import { decodeLogBatch, encodeLogBatch, LOG_SOURCES, MAX_LOG_BYTES, MAX_LOG_LINE_BYTES } from './logLines.ts'

describe('frames of a workspace stream', () => {
  it('are decoded whatever the chunk boundaries', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ type: fc.nat(255), payload: fc.uint8Array({ maxLength: 300 }) }), { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        async (frames, cuts) => {
          const bytes = Buffer.concat(frames.map((one) => encodeFrame(one.type, one.payload)))
          expect((await all(pieces(bytes, cuts))).map((one) => [one.type, [...one.payload]])).toEqual(
            frames.map((one) => [one.type, [...one.payload]]),
          )
        },
      ),
    )
  })

  it('hold on to none of the pieces in which they come, which may be one for each byte', async () => {
    const sent = encodeFrame(
      FRAME.bytes,
      Uint8Array.from({ length: 1000 }, (_, index) => index % 251),
    )
    const piece = new Uint8Array(1)
    async function* overwritten() {
      for (const byte of sent) {
        piece[0] = byte
        yield piece
      }
    }
    const [frame] = await all(overwritten())
    expect(frame).toEqual({ type: FRAME.bytes, payload: sent.slice(5) })
  })

  it('are refused above the limit or when truncated', async () => {
    expect(() => encodeFrame(FRAME.bytes, new Uint8Array(MAX_FRAME_BYTES + 1))).toThrow('256 KiB')
    const tooLarge = encodeFrame(FRAME.bytes, new Uint8Array(8))
    new DataView(tooLarge.buffer).setUint32(0, MAX_FRAME_BYTES + 1)
    await expect(all(pieces(tooLarge, [5]))).rejects.toThrow('256 KiB')
    const whole = encodeFrame(FRAME.bytes, new Uint8Array(8))
    for (const length of [1, 4, 5, 12])
      await expect(all(pieces(whole.subarray(0, length), [20])), String(length)).rejects.toMatchObject({ code: 'bad_request' })
    expect(await all(pieces(encodeFrame(FRAME.bytes, new Uint8Array(MAX_FRAME_BYTES)), [1000]))).toHaveLength(1)
  })

  it('of JSON decode to a value, or to undefined for anything else', async () => {
    const [frame] = await all(pieces(encodeJson({ code: 3 }), [100]))
    expect(decodeJson((frame as Frame).payload)).toEqual({ code: 3 })
    expect(decodeJson(new Uint8Array([0xff, 0xfe]))).toBeUndefined()
    // A string that is not UTF-8, and bytes that are not JSON.
    expect(decodeJson(new Uint8Array([0x22, 0xff, 0x22]))).toBeUndefined()
    expect(decodeJson(Buffer.from('{'))).toBeUndefined()
  })
})

describe('log lines', () => {
  const line = fc.record({
    time: fc.nat({ max: 2 ** 52 }),
    source: fc.constantFrom(...LOG_SOURCES),
    bytes: fc.uint8Array({ maxLength: 50 }),
    more: fc.boolean(),
    cut: fc.boolean(),
    gap: fc.boolean(),
  })

  it('are decoded unchanged, whatever bytes they contain', () => {
    fc.assert(
      fc.property(fc.array(line), fc.stringMatching(/^[0-9.]{0,60}$/), (lines, cursor) => {
        expect(decodeLogBatch(encodeLogBatch({ cursor, lines }))).toEqual({ cursor, lines })
      }),
    )
  })

  it('are refused when truncated', () => {
    const lines = [{ time: 1, source: 'stdout', bytes: new Uint8Array(20), more: false, cut: false, gap: false } as const]
    const payload = encodeLogBatch({ cursor: '1.2.3.4', lines })
    for (let length = 9; length < payload.length; length += 1)
      expect(() => decodeLogBatch(payload.subarray(0, length)), String(length)).toThrow('malformed')
    expect(decodeLogBatch(payload.subarray(0, 8)).lines).toEqual([])
    const malformed = expect.objectContaining({ code: 'bad_request', message: 'malformed lines of a log' })
    expect(() => decodeLogBatch(new Uint8Array([2, 0x31]))).toThrow(malformed)
    const ofNobody = payload.slice()
    ofNobody[8 + 12] = LOG_SOURCES.length
    expect(() => decodeLogBatch(ofNobody)).toThrow(malformed)
  })

  it('are refused with an invalid time', () => {
    const at = (time: number) =>
      encodeLogBatch({
        cursor: '1',
        lines: [{ time, source: 'agent', bytes: new Uint8Array(), more: false, cut: false, gap: false }],
      })
    for (const time of [Number.NaN, Number.POSITIVE_INFINITY, -1, MAX_DATE_MS * 1000 + 1024])
      expect(() => decodeLogBatch(at(time)), String(time)).toThrow('malformed')
    const last = decodeLogBatch(at(MAX_DATE_MS * 1000)).lines[0]?.time ?? 0
    expect(new Date(last / 1000).toISOString()).toBe('+275760-09-13T00:00:00.000Z')
    expect(decodeLogBatch(at(0)).lines[0]?.time).toBe(0)
  })

  it('have these limits, which agents and browsers share', () => {
    expect([MAX_LOG_LINE_BYTES, MAX_LOG_BYTES]).toEqual([65_536, 67_108_864])
  })
})

async function* pieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const next = at + (cuts[turn % cuts.length] as number)
    yield bytes.subarray(at, next)
    at = next
  }
}

async function all(chunks: AsyncIterable<Uint8Array>): Promise<Frame[]> {
  const frames: Frame[] = []
  for await (const frame of readFrames(chunks)) frames.push(frame)
  return frames
}

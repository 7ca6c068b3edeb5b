import { AppError } from '@rackfair/rules/errors/AppError'

/** Types of frames in a workspace stream. */
export const FRAME = {
  /** UTF-8 of a JSON value. */
  json: 0,
  /** Raw bytes: keystrokes and a terminal's screen, standard input and output, a chunk of a file. */
  bytes: 1,
  /** Bytes of standard error. */
  errorBytes: 2,
  /** Lines of the log with the cursor to continue from, see `decodeLogBatch`. */
  logBatch: 3,
} as const

export interface Frame {
  /** One of `FRAME`; a reader skips unknown types. */
  type: number
  payload: Uint8Array
}

const HEADER_BYTES = 5
/** Largest payload of a frame. */
export const MAX_FRAME_BYTES = 256 * 1024

/** Four bytes of length, one of type, then the payload. */
export function encodeFrame(type: number, payload: Uint8Array): Uint8Array {
  if (payload.length > MAX_FRAME_BYTES) throw new AppError('payload_too_large', 'a frame holds at most 256 KiB')
  const frame = new Uint8Array(HEADER_BYTES + payload.length)
  new DataView(frame.buffer).setUint32(0, payload.length)
  frame[4] = type
  frame.set(payload, HEADER_BYTES)
  return frame
}

export const encodeJson = (value: unknown): Uint8Array => encodeFrame(FRAME.json, new TextEncoder().encode(JSON.stringify(value)))

/** The value of a JSON frame; undefined if it is malformed. */
export function decodeJson(payload: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload))
  } catch {
    return undefined
  }
}

/**
 * Reads the frames of a stream, however its bytes are chunked. A frame is yielded whole or not at all.
 * @throws AppError `bad_request` for a frame above the limit, or a stream that ends within one.
 */
export async function* readFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const header = new Uint8Array(HEADER_BYTES)
  let headed = 0
  /** Gathered in one place, however small the pieces are in which it comes. */
  let payload: Uint8Array | undefined
  let filled = 0
  for await (const chunk of chunks) {
    let rest = chunk
    while (true) {
      if (!payload) {
        const part = rest.subarray(0, HEADER_BYTES - headed)
        header.set(part, headed)
        headed += part.length
        rest = rest.subarray(part.length)
        if (headed < HEADER_BYTES) break
        const length = new DataView(header.buffer).getUint32(0)
        if (length > MAX_FRAME_BYTES) throw new AppError('bad_request', 'a frame holds at most 256 KiB')
        payload = new Uint8Array(length)
        filled = 0
      }
      const part = rest.subarray(0, payload.length - filled)
      payload.set(part, filled)
      filled += part.length
      rest = rest.subarray(part.length)
      if (filled < payload.length) break
      const frame = { type: header[4] as number, payload }
      payload = undefined
      headed = 0
      yield frame
    }
  }
  if (headed > 0) throw new AppError('bad_request', 'the stream ended within a frame')
}

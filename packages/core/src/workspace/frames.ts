import { AppError } from '../AppError.ts'

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
  let parts: Uint8Array[] = []
  let held = 0
  /** Takes this many bytes off the front of `held`. */
  const take = (length: number): Uint8Array => {
    const first = parts[0]
    const joined = first && first.length >= length ? first : concat(parts, held)
    parts = first && joined === first ? parts.slice(1) : []
    const rest = joined.subarray(length)
    if (rest.length > 0) parts.unshift(rest)
    held -= length
    return joined.subarray(0, length)
  }
  let header: Uint8Array | undefined
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue
    parts.push(chunk)
    held += chunk.length
    while (true) {
      if (!header) {
        if (held < HEADER_BYTES) break
        header = take(HEADER_BYTES)
      }
      const length = new DataView(header.buffer, header.byteOffset).getUint32(0)
      if (length > MAX_FRAME_BYTES) throw new AppError('bad_request', 'a frame holds at most 256 KiB')
      if (held < length) break
      const type = header[4] as number
      header = undefined
      yield { type, payload: length === 0 ? new Uint8Array(0) : take(length) }
    }
  }
  if (held > 0 || header) throw new AppError('bad_request', 'the stream ended within a frame')
}

function concat(parts: readonly Uint8Array[], length: number): Uint8Array {
  const joined = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

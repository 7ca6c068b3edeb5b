import { type Bytes, concat, readJson, utf8 } from './bytes.ts'
import { broken, StreamError } from './StreamError.ts'

export const FRAME = { open: 1, data: 2, credit: 3, fin: 4, reset: 5, close: 6, ping: 7, pong: 8 } as const
const TYPES: ReadonlySet<number> = new Set(Object.values(FRAME))

/** Bytes in flight per direction of a stream: the reader grants credit for what it has read. */
export const WINDOW_BYTES = 256 * 1024
/** Maximum data per frame, and maximum size of the request that opens a stream. */
export const MAX_FRAME_BYTES = 16 * 1024
const HEADER_BYTES = 5
/** Maximum size of a session's message: a frame, its header and the AEAD tag. */
export const MAX_RECORD_BYTES = MAX_FRAME_BYTES + HEADER_BYTES + 16
const MAX_CODE = 40
const MAX_MESSAGE = 300

export interface Frame {
  type: number
  id: number
  body: Bytes
}

export function encodeFrame(type: number, id: number, body: Uint8Array = new Uint8Array()): Bytes {
  const header = new Uint8Array(HEADER_BYTES)
  header[0] = type
  new DataView(header.buffer).setUint32(1, id)
  return concat(header, body)
}

/** @throws StreamError if the bytes are not a frame. */
export function decodeFrame(bytes: Bytes): Frame {
  const type = bytes[0]
  if (bytes.length < HEADER_BYTES || bytes.length > HEADER_BYTES + MAX_FRAME_BYTES || !TYPES.has(type as number))
    throw broken('a frame has an unknown form')
  return {
    type: type as number,
    id: new DataView(bytes.buffer, bytes.byteOffset).getUint32(1),
    body: bytes.subarray(HEADER_BYTES) as Bytes,
  }
}

export function encodeCredit(id: number, count: number): Bytes {
  const body = new Uint8Array(4)
  new DataView(body.buffer).setUint32(0, count)
  return encodeFrame(FRAME.credit, id, body)
}

export function readCredit({ body }: Frame): number {
  if (body.length !== 4) throw broken('a credit has an unknown form')
  return new DataView(body.buffer, body.byteOffset).getUint32(0)
}

export const encodeError = ({ code, message }: StreamError): Bytes =>
  utf8(JSON.stringify({ code: code.slice(0, MAX_CODE), message: message.slice(0, MAX_MESSAGE) }))

/** Codes and messages come from the other side: they are truncated, with our own as defaults. */
export function decodeError(body: Uint8Array): StreamError {
  const { code, message } = readJson(body) ?? {}
  const text = (value: unknown, most: number, other: string) =>
    typeof value === 'string' && value ? value.slice(0, most) : other
  return new StreamError(text(code, MAX_CODE, 'internal'), text(message, MAX_MESSAGE, 'the other side ended it without a reason'))
}

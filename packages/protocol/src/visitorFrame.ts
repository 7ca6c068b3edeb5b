/** Types of the binary messages between platform and agent about one visitor of a workspace. */
export const VISITOR = { open: 1, data: 2, close: 3 } as const
const TYPES: ReadonlySet<number> = new Set(Object.values(VISITOR))
const HEADER_BYTES = 5

/**
 * A message about one visitor. The body of `open` is the visitor's network, that of `close` a code, that of `data` is end-to-end encrypted.
 */
export interface VisitorFrame {
  type: number
  /** Assigned by the platform, unique per connection of the agent. */
  visitor: number
  body: Uint8Array
}

export function encodeVisitorFrame({ type, visitor, body }: VisitorFrame): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER_BYTES + body.length)
  bytes[0] = type
  new DataView(bytes.buffer).setUint32(1, visitor)
  bytes.set(body, HEADER_BYTES)
  return bytes
}

/** Undefined if the bytes are not such a message. The body is a view of the input. */
export function decodeVisitorFrame(bytes: Uint8Array): VisitorFrame | undefined {
  const [type] = bytes
  if (bytes.length < HEADER_BYTES || !TYPES.has(type as number)) return undefined
  const visitor = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1)
  return { type: type as number, visitor, body: bytes.subarray(HEADER_BYTES) }
}

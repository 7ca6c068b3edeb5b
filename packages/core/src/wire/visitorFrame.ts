/** What the binary messages between platform and agent say of one visitor of a workspace. */
export const VISITOR = { open: 1, data: 2, close: 3 } as const
const TYPES: ReadonlySet<number> = new Set(Object.values(VISITOR))
const HEADER_BYTES = 5

/** A message of one visitor. The body of `open` is the visitor's network, of `close` a code, of `data` what nobody between can read. */
export interface VisitorFrame {
  type: number
  /** Given by the platform, for one connection of the agent. */
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

/** Undefined for what is no such message. The body is a view of what was given. */
export function decodeVisitorFrame(bytes: Uint8Array): VisitorFrame | undefined {
  const [type] = bytes
  if (bytes.length < HEADER_BYTES || !TYPES.has(type as number)) return undefined
  const visitor = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1)
  return { type: type as number, visitor, body: bytes.subarray(HEADER_BYTES) }
}

/** Bytes of a ClientHello that are read at most, with the headers of its records. */
export const MAX_HELLO_BYTES = 16_384

const HANDSHAKE = 22
const CLIENT_HELLO = 1
const RECORD_HEADER = 5
const SERVER_NAME = 0
const HOST_NAME = 0

/** What the bytes received so far say: a name, that more are needed, or that they are no ClientHello with a name. */
export type ServerName = { name: string } | 'more' | 'none'

/**
 * Reads the server name of a TLS ClientHello (RFC 8446, 4.1.2; RFC 6066, 3), which may come in several records and any number of segments.
 * Nothing else in it matters here, and nothing behind it is looked at.
 *
 * @example readServerName(chunk) // { name: 'o-12.atlas.edge.example' }
 */
export function readServerName(bytes: Buffer): ServerName {
  const handshake = handshakeOf(bytes)
  if (typeof handshake === 'string') return handshake
  const reader = createReader(handshake.subarray(4))
  // Version and random, session, cipher suites, compression methods.
  if (!reader.skip(34) || !reader.vector(1) || !reader.vector(2) || !reader.vector(1)) return 'none'
  const extensions = reader.vector(2)
  if (!extensions) return 'none'
  const list = createReader(extensions)
  for (let type = list.number(2); type !== undefined; type = list.number(2)) {
    const content = list.vector(2)
    if (!content) return 'none'
    if (type === SERVER_NAME) return nameIn(content)
  }
  return 'none'
}

/** The handshake message out of its records. */
function handshakeOf(bytes: Buffer): Buffer | 'more' | 'none' {
  const parts: Buffer[] = []
  let size = 0
  /** Bytes of the message, once its header is there. */
  let whole: number | undefined
  for (let at = 0; at <= MAX_HELLO_BYTES; ) {
    if ((bytes[at] ?? HANDSHAKE) !== HANDSHAKE || (bytes[at + 1] ?? 3) !== 3) return 'none'
    if (bytes.length < at + RECORD_HEADER) break
    const length = bytes.readUInt16BE(at + 3)
    if (length === 0) return 'none'
    const part = bytes.subarray(at + RECORD_HEADER, at + RECORD_HEADER + length)
    parts.push(part)
    size += part.length
    at += RECORD_HEADER + length
    if (size > 0 && (parts[0] as Buffer).at(0) !== CLIENT_HELLO) return 'none'
    whole ??= size < 4 ? undefined : 4 + Buffer.concat(parts).readUIntBE(1, 3)
    if (whole !== undefined && whole > MAX_HELLO_BYTES) return 'none'
    if (whole !== undefined && size >= whole) return Buffer.concat(parts).subarray(0, whole)
    if (part.length < length) break
  }
  return bytes.length < MAX_HELLO_BYTES ? 'more' : 'none'
}

/** The one host name of the extension, as DNS compares it: in lower case and without the last dot. */
function nameIn(content: Buffer): ServerName {
  const names = createReader(content).vector(2)
  const reader = names && createReader(names)
  if (!reader || reader.number(1) !== HOST_NAME) return 'none'
  return toName(reader.vector(2)?.toString('latin1') ?? '')
}

/** The host name as DNS compares it. */
export function toName(text: string): ServerName {
  const name = text.toLowerCase().replace(/\.$/, '')
  return /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/.test(name) && name.length <= 253 ? { name } : 'none'
}

/** Reads from the start of `bytes`; what would lie beyond their end is undefined. */
function createReader(bytes: Buffer) {
  let at = 0
  const take = (count: number): Buffer | undefined => {
    if (at + count > bytes.length) return undefined
    at += count
    return bytes.subarray(at - count, at)
  }
  const number = (size: 1 | 2): number | undefined => take(size)?.readUIntBE(0, size)
  return {
    number,
    skip: (count: number): boolean => take(count) !== undefined,
    /** Bytes behind their own length of `size` bytes. */
    vector(size: 1 | 2): Buffer | undefined {
      const length = number(size)
      return length === undefined ? undefined : take(length)
    },
  }
}

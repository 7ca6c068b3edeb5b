/** Numbers of DNS (RFC 1035, 2136, 8945). */
export const TYPE = { soa: 6, txt: 16, tsig: 250 } as const
export const CLASS = { in: 1, none: 254, any: 255 } as const
export const HEADER_BYTES = 12
const OPCODE_UPDATE = 0x2800
const MAX_LABEL = 63
const MAX_NAME = 255
const MAX_STRING = 255

/** Names and addresses in this file are plain text, `_acme-challenge.atlas.edge.example`, in lower case. */
export interface TxtChange {
  /** Owner of the record, and the zone it is in. */
  name: string
  value: string
  /** Seconds that others may keep it; undefined takes the record away. */
  ttl: number | undefined
}

export const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff])

/** A name in the form that is signed: lower case, and not abbreviated. @throws Error for what is no name. */
export function encodeName(name: string): Buffer {
  const labels = name.toLowerCase().split('.')
  const parts = labels.map((label) => {
    const bytes = Buffer.from(label, 'latin1')
    if (bytes.length === 0 || bytes.length > MAX_LABEL) throw new Error(`no name of the DNS: ${name.slice(0, MAX_NAME)}`)
    return Buffer.concat([Buffer.from([bytes.length]), bytes])
  })
  const encoded = Buffer.concat([...parts, Buffer.alloc(1)])
  if (encoded.length > MAX_NAME) throw new Error(`too long a name: ${name.slice(0, MAX_NAME)}`)
  return encoded
}

/** An UPDATE (RFC 2136) of one TXT record, unsigned. */
export function encodeUpdate(id: number, { name, value, ttl }: TxtChange): Buffer {
  const zone = encodeName(name)
  const text = Buffer.from(value, 'latin1')
  if (text.length > MAX_STRING) throw new Error('too long a text for one record')
  const seconds = Buffer.alloc(4)
  seconds.writeUInt32BE(ttl ?? 0)
  const record = [zone, u16(TYPE.txt), u16(ttl === undefined ? CLASS.none : CLASS.in), seconds]
  return Buffer.concat([
    ...[id, OPCODE_UPDATE, 1, 0, 1, 0].map(u16),
    ...[zone, u16(TYPE.soa), u16(CLASS.in)],
    ...[...record, u16(text.length + 1), Buffer.from([text.length]), text],
  ])
}

interface ReadRecord {
  name: string
  type: number
  /** Where it begins in the message, and its data. */
  at: number
  data: Buffer
}

/**
 * Reads a message of a stranger.
 * @throws Error for one that is cut off or makes no sense.
 */
export function readMessage(message: Buffer): { id: number; isAnswer: boolean; rcode: number; last: ReadRecord | undefined } {
  if (message.length < HEADER_BYTES) throw new Error('a message of the DNS without a head')
  const flags = message.readUInt16BE(2)
  const [questions, ...records] = [4, 6, 8, 10].map((at) => message.readUInt16BE(at)) as [number, ...number[]]
  let at = HEADER_BYTES
  for (let left = questions; left > 0; left -= 1) at = within(message, readName(message, at).end + 4)
  let last: ReadRecord | undefined
  for (let left = records.reduce((sum, count) => sum + count, 0); left > 0; left -= 1) {
    const { name, end } = readName(message, at)
    within(message, end + 10)
    const length = message.readUInt16BE(end + 8)
    const next = within(message, end + 10 + length)
    last = { name, type: message.readUInt16BE(end), at, data: message.subarray(end + 10, next) }
    at = next
  }
  return { id: message.readUInt16BE(0), isAnswer: flags >> 15 === 1, rcode: flags & 0xf, last }
}

/** Reads a name, which may go on at an earlier place of the message. */
export function readName(message: Buffer, from: number): { name: string; end: number } {
  const labels: string[] = []
  let end: number | undefined
  let bytes = 0
  for (let at = from; ; ) {
    const length = message[within(message, at + 1) - 1] as number
    if (length >= 0xc0) {
      const to = message.readUInt16BE(within(message, at + 2) - 2) & 0x3fff
      end ??= at + 2
      // Backwards only: it comes to an end.
      if (to >= at) throw new Error('a name of the DNS that leads nowhere')
      at = to
      continue
    }
    at += 1 + length
    bytes += 1 + length
    if (length > MAX_LABEL || bytes > MAX_NAME) throw new Error('too long a name of the DNS')
    if (length === 0) return { name: labels.join('.'), end: end ?? at }
    labels.push(message.toString('latin1', at - length, within(message, at)).toLowerCase())
  }
}

function within(message: Buffer, end: number): number {
  if (end > message.length) throw new Error('a message of the DNS that is cut off')
  return end
}

import { createHmac, timingSafeEqual } from 'node:crypto'
import { CLASS, encodeName, HEADER_BYTES, readMessage, readName, TYPE, u16 } from './wire.ts'

const ALGORITHM = 'hmac-sha256'
const MAC_BYTES = 32
/** Seconds by which the two clocks may differ. */
const FUDGE = 300
const COUNT_OF_ADDITIONAL = 10
const ERRORS: Readonly<Record<number, string>> = { 16: 'BADSIG', 17: 'BADKEY', 18: 'BADTIME', 22: 'BADTRUNC' }

/** A key that two sides have in common, with HMAC-SHA256 (RFC 8945). */
export interface TsigKey {
  name: string
  secret: Buffer
}

/** What is signed besides the message: the record as it says who, when, and what went wrong. */
function variables(key: TsigKey, time: Buffer, fudge: number, error: number, other: Buffer): Buffer {
  return Buffer.concat([
    ...[encodeName(key.name), u16(CLASS.any), Buffer.alloc(4), encodeName(ALGORITHM)],
    ...[time, u16(fudge), u16(error), u16(other.length), other],
  ])
}

/** Signs a request at `now`, in Unix seconds. `mac` is what the answer is signed with as well. */
export function signTsig(message: Buffer, key: TsigKey, now: number): { signed: Buffer; mac: Buffer } {
  const time = Buffer.alloc(6)
  time.writeUIntBE(now, 0, 6)
  const mac = createHmac('sha256', key.secret)
    .update(message)
    .update(variables(key, time, FUDGE, 0, Buffer.alloc(0)))
    .digest()
  const data = Buffer.concat([
    ...[encodeName(ALGORITHM), time, u16(FUDGE), u16(mac.length), mac],
    ...[message.subarray(0, 2), u16(0), u16(0)],
  ])
  const signed = Buffer.concat([
    message,
    ...[encodeName(key.name), u16(TYPE.tsig), u16(CLASS.any), Buffer.alloc(4), u16(data.length), data],
  ])
  signed.writeUInt16BE(message.readUInt16BE(COUNT_OF_ADDITIONAL) + 1, COUNT_OF_ADDITIONAL)
  return { signed, mac }
}

/**
 * What an answer says of the key: `undefined` where it is signed with it and within time, else why not. One that cannot be signed, as the
 * server does not know the key, says so itself.
 *
 * @param requestMac of the request; empty for a message that answers nothing.
 */
export function whyNotSigned(message: Buffer, key: TsigKey, requestMac: Buffer, now: number): string | undefined {
  const { last } = readMessage(message)
  if (last?.type !== TYPE.tsig || last.name !== key.name.toLowerCase()) return 'it is not signed with this key'
  const { data } = last
  const { name: algorithm, end } = readName(data, 0)
  const macAt = end + 10
  const macLength = data.length >= macAt ? data.readUInt16BE(macAt - 2) : data.length
  const after = macAt + macLength
  if (data.length < after + 6 || data.length !== after + 6 + data.readUInt16BE(after + 4)) return 'its signature is cut off'
  const [time, fudge, mac] = [data.subarray(end, end + 6), data.readUInt16BE(end + 6), data.subarray(macAt, after)]
  const error = data.readUInt16BE(after + 2)
  const other = data.subarray(after + 6)
  // A server that does not know the key, or got a wrong signature, cannot sign what it says of it.
  if (error !== 0) return ERRORS[error] ?? `error ${error} of the signature`
  if (algorithm !== ALGORITHM || mac.length !== MAC_BYTES) return 'it is signed in another way'
  const unsigned = Buffer.from(message.subarray(0, last.at))
  unsigned.writeUInt16BE(unsigned.readUInt16BE(COUNT_OF_ADDITIONAL) - 1, COUNT_OF_ADDITIONAL)
  data.copy(unsigned, 0, after, after + 2)
  const expected = createHmac('sha256', key.secret)
    .update(requestMac.length > 0 ? Buffer.concat([u16(requestMac.length), requestMac]) : Buffer.alloc(0))
    .update(unsigned)
    .update(variables(key, time, fudge, error, other))
    .digest()
  if (unsigned.length < HEADER_BYTES || !timingSafeEqual(mac, expected)) return 'its signature is wrong'
  return Math.abs(now - time.readUIntBE(0, 6)) > fudge ? 'it was signed at another time' : undefined
}

import type { Bytes, Key } from './bytes.ts'
import { broken } from './StreamError.ts'

const TAG_BYTES = 16
const NONCE_BYTES = 12
/** Maximum records per direction of a session and key. */
const MAX_RECORDS = 2 ** 32

export const DIRECTION_BYTES = 16 + NONCE_BYTES

/** One direction of a session: record n only opens with nonce n, so none can be modified, dropped, repeated or reordered. */
interface Direction {
  key: Key
  nonce: () => Bytes
}

async function openDirection(secret: Bytes, usage: 'encrypt' | 'decrypt'): Promise<Direction> {
  const key = await crypto.subtle.importKey('raw', secret.slice(0, 16), 'AES-GCM', false, [usage])
  const base = secret.slice(16, DIRECTION_BYTES)
  let count = 0
  return {
    key,
    nonce() {
      if (count >= MAX_RECORDS) throw broken('the session has carried as much as its keys may')
      const nonce = base.slice()
      const tail = new DataView(nonce.buffer)
      tail.setUint32(8, tail.getUint32(8) ^ count)
      count += 1
      return nonce
    },
  }
}

export type Sealer = (plain: Uint8Array) => Promise<Bytes>

/** Seals records in the order of the calls. */
export async function createSealer(secret: Bytes): Promise<Sealer> {
  const { key, nonce } = await openDirection(secret, 'encrypt')
  return async (plain) => new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce() }, key, plain as Bytes))
}

/** Opens records in the order of the calls. @throws StreamError `stream_broken` at the first that is not the next one. */
export async function createOpener(secret: Bytes): Promise<Sealer> {
  const { key, nonce } = await openDirection(secret, 'decrypt')
  return async (record) => {
    if (record.length < TAG_BYTES) throw broken('a record is too short')
    const iv = nonce()
    try {
      return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, record as Bytes))
    } catch {
      throw broken('a record was changed, left out, repeated or reordered on its way')
    }
  }
}

import { type Bytes, concat, utf8 } from './bytes.ts'
import { KEMS, KEY_BYTES, type Kem, type KeyPairs, kemOf, type PublicKeys, readPublicKey, suiteOf } from './encryptionKeys.ts'
import { broken } from './StreamError.ts'

const INFO = utf8('rackfair request 1')

/**
 * Seals one request, for example the secret values of a deployment. `aad` is the text it is bound to: it does not open with another.
 * @example const sealed = await sealRequest(agent.publicKeys, utf8(JSON.stringify(secrets)), deployText, await bestKem())
 */
export async function sealRequest(keys: PublicKeys, plain: Uint8Array, aad: string, kem: Kem): Promise<Bytes> {
  const recipientPublicKey = await readPublicKey(kem, keys[kem])
  const { enc, ct } = await suiteOf(kem).seal({ recipientPublicKey, info: INFO }, plain as Bytes, utf8(aad))
  return concat(Uint8Array.of(KEMS[kem]), new Uint8Array(enc), new Uint8Array(ct))
}

/** @throws StreamError `stream_broken` if it was sealed to other keys or another text, or was modified. */
export async function openRequest(keys: KeyPairs, sealed: Uint8Array, aad: string): Promise<Bytes> {
  const { kem, enc, rest } = splitSealed(sealed)
  try {
    const recipientKey = keys.pairs[kem]
    const plain = await suiteOf(kem).open({ recipientKey, enc, info: INFO }, rest, utf8(aad))
    return new Uint8Array(plain)
  } catch {
    throw broken('the request was sealed to another key or text, or changed on its way')
  }
}

/** The header of every sealed message: the KEM, and the key encapsulated by HPKE. */
export function splitSealed(sealed: Uint8Array): { kem: Kem; enc: Bytes; rest: Bytes } {
  const kem = kemOf(sealed[0])
  if (!kem || sealed.length <= 1 + KEY_BYTES[kem]) throw broken('not a sealed message')
  const bytes = sealed.slice() as Bytes
  return { kem, enc: bytes.slice(1, 1 + KEY_BYTES[kem]), rest: bytes.slice(1 + KEY_BYTES[kem]) }
}

import { Aes128Gcm, CipherSuite, DhkemP256HkdfSha256, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'
import { type Bytes, fromBase64url, type Key, type KeyPair, toBase64url } from './bytes.ts'

/** KEM ids of RFC 9180. X25519 is preferred: P-256 is for browsers without it. */
export const KEMS = { x25519: 0x20, p256: 0x10 } as const
export type Kem = keyof typeof KEMS

/** Length in bytes of a public key, and of the encapsulated key that HPKE sends with a ciphertext. */
export const KEY_BYTES: Readonly<Record<Kem, number>> = { x25519: 32, p256: 65 }

/** Public keys to seal to: one for each KEM that a sender may support, raw in base64url. */
export type PublicKeys = Readonly<Record<Kem, string>>

/** The same keys with their private halves. */
export interface KeyPairs {
  readonly publicKeys: PublicKeys
  readonly pairs: Readonly<Record<Kem, KeyPair>>
}

const suites = {
  x25519: () => new CipherSuite({ kem: new DhkemX25519HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes128Gcm() }),
  p256: () => new CipherSuite({ kem: new DhkemP256HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes128Gcm() }),
}
const made: Partial<Record<Kem, CipherSuite>> = {}

export function suiteOf(kem: Kem): CipherSuite {
  made[kem] ??= suites[kem]()
  return made[kem]
}

export const kemOf = (number: number | undefined): Kem | undefined =>
  number === KEMS.x25519 ? 'x25519' : number === KEMS.p256 ? 'p256' : undefined

/** The best KEM that this browser or program supports. */
export function bestKem(): Promise<Kem> {
  best ??= crypto.subtle.generateKey('X25519', false, ['deriveBits']).then(
    () => 'x25519',
    () => 'p256',
  )
  return best
}
let best: Promise<Kem> | undefined

/**
 * Creates the keys that others seal to. Recreates the same ones from the `secrets` of `exportSecrets`.
 * @example const keys = await makeEncryptionKeys(); const again = await makeEncryptionKeys(await exportSecrets(keys))
 */
export async function makeEncryptionKeys(secrets?: Readonly<Record<Kem, string>>): Promise<KeyPairs> {
  const [x25519, p256] = await Promise.all([makePair('x25519', secrets?.x25519), makePair('p256', secrets?.p256)])
  const pairs = { x25519, p256 }
  return { pairs, publicKeys: { x25519: await exportPublic('x25519', x25519), p256: await exportPublic('p256', p256) } }
}

/** Exports the private halves as text, for a file that only their owner can read. */
export async function exportSecrets({ pairs }: KeyPairs): Promise<Record<Kem, string>> {
  const secret = async (kem: Kem) => {
    const { d } = await crypto.subtle.exportKey('jwk', pairs[kem].privateKey)
    return d as string
  }
  return { x25519: await secret('x25519'), p256: await secret('p256') }
}

/** @throws Error if the text is not a public key of this kind. */
export async function readPublicKey(kem: Kem, text: string): Promise<Key> {
  const bytes = fromBase64url(text)
  if (bytes.length !== KEY_BYTES[kem]) throw new Error('not a public key of this kind')
  return suiteOf(kem).kem.deserializePublicKey(bytes.buffer)
}

async function makePair(kem: Kem, secret: string | undefined): Promise<KeyPair> {
  const suite = suiteOf(kem)
  if (secret === undefined) return suite.kem.generateKeyPair()
  const privateKey = await suite.kem.deserializePrivateKey(fromBase64url(secret).buffer)
  const jwk = await crypto.subtle.exportKey('jwk', privateKey)
  return { privateKey, publicKey: await suite.kem.importKey('jwk', publicPart(jwk) as never, true) }
}

/** Members that a browser omits from a JWK are undefined here, and another browser refuses undefined members. */
function publicPart({ kty, crv, x, y }: PublicPart): PublicPart {
  const named = Object.entries({ kty, crv, x, y }).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(named), key_ops: [], ext: true }
}
interface PublicPart {
  kty?: string | undefined
  crv?: string | undefined
  x?: string | undefined
  y?: string | undefined
  key_ops?: string[]
  ext?: boolean
}

export const exportRaw = async (kem: Kem, key: Key): Promise<Bytes> =>
  new Uint8Array(await suiteOf(kem).kem.serializePublicKey(key))

const exportPublic = async (kem: Kem, { publicKey }: KeyPair): Promise<string> => toBase64url(await exportRaw(kem, publicKey))

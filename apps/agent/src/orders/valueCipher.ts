import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { AppError } from '@rackfair/core'

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'

/**
 * Encrypts the environment values that lie in the state. Its key is a file beside it, for its owner alone: a copy of the state without
 * that file, as in a backup or beside a report of a fault, tells nothing. Whoever is root on this machine reads both, and the memory of
 * the application as well; nothing keeps values from them.
 */
export function createValueCipher(key: Buffer) {
  return {
    /** `owner` is what the values belong to: with another one they do not open. */
    seal(values: Readonly<Record<string, string>>, owner: string): string {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner))
      const sealed = [cipher.update(JSON.stringify(values)), cipher.final()]
      return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]).toString('base64url')
    },
    /** Undefined where the key is another one than that which sealed it. */
    open(sealed: string, owner: string): Record<string, string> | undefined {
      const bytes = Buffer.from(sealed, 'base64url')
      try {
        const end = bytes.length - TAG_BYTES
        const cipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(owner))
        cipher.setAuthTag(bytes.subarray(end))
        const plain = Buffer.concat([cipher.update(bytes.subarray(NONCE_BYTES, end)), cipher.final()])
        return JSON.parse(plain.toString()) as Record<string, string>
      } catch {
        return undefined
      }
    },
  }
}

/** The key in a file, which is made where there is none. */
export function loadValueKey(file: string): Buffer {
  try {
    // Two processes may begin at once; the first one's key counts.
    writeFileSync(file, `${randomBytes(KEY_BYTES).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64url')
  if (key.length !== KEY_BYTES)
    throw new AppError('bad_request', `${file} holds no key; delete it, and applications with secret values are deployed again`)
  return key
}

export const newValueKey = (): Buffer => randomBytes(KEY_BYTES)

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { AppError } from '@rackfair/rules/errors/AppError'

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'

/**
 * Encrypts the environment values in the state. The key is in a separate file, readable by its owner only: a copy of the state without that
 * file, for example in a backup or a bug report, reveals nothing. Root on this machine can read both, and the application's memory as
 * well; nothing protects values from root.
 */
export function createValueCipher(key: Buffer) {
  return {
    /** `owner` binds the values: they cannot be opened with another one. */
    seal(values: Readonly<Record<string, string>>, owner: string): string {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner))
      const sealed = [cipher.update(JSON.stringify(values)), cipher.final()]
      return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]).toString('base64url')
    },
    /** Undefined if they were sealed with another key. */
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

/** Loads the key from a file, which is created if missing. */
export function loadValueKey(file: string): Buffer {
  try {
    // Two processes may start at once; the first one's key wins.
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

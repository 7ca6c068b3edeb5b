import { randomBytes, scrypt } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import * as Keystore from 'ox/Keystore'
import type { Hex } from 'viem'
import { CliError, EXIT } from '../exitCodes.ts'

const MAX_FILE_BYTES = 64 * 1024
/** Limit of the memory that a file may require: 128 * n * r bytes. */
const MAX_SCRYPT_BYTES = 1024 * 1024 * 1024
/** Of a file that asks for more the password could not be told within minutes. */
const MAX_PBKDF2_ROUNDS = 10_000_000
/** As in geth: takes about a second and 256 MB. */
const SCRYPT_N = 262_144

export function defaultKeystore(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'rackfair', 'key.json')
}

/**
 * Reads a file in Web3 Secret Storage V3, as written by geth and other wallets. Some name its members with capitals, as in `Crypto`.
 * @throws CliError `key_missing`, `key_unreadable` with the member that is wrong
 */
export function readKeystore(file: string): Keystore.Keystore {
  let text: string
  try {
    if (statSync(file).size > MAX_FILE_BYTES)
      throw new CliError(EXIT.key, 'key_unreadable', `${file} is not a keystore: it is too large`)
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof CliError) throw error
    throw new CliError(EXIT.key, 'key_missing', `${file}: ${(error as Error).message}`)
  }
  try {
    return keystoreOf(parse(text))
  } catch (error) {
    if (!(error instanceof WrongMember)) throw error
    throw new CliError(EXIT.key, 'key_unreadable', `${file} is not a keystore of version 3: ${error.message}`)
  }
}

class WrongMember extends Error {}

function parse(text: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]))
        : value,
    )
  } catch {
    throw new WrongMember('it is no JSON')
  }
}

function keystoreOf(json: unknown): Keystore.Keystore {
  const member = (path: string): unknown => {
    let value = json
    for (const name of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[name]
    if (value === undefined || value === null) throw new WrongMember(`${path} is missing`)
    return value
  }
  const oneOf = <Value>(path: string, ...allowed: readonly Value[]): Value => {
    const value = allowed.find((one) => one === member(path))
    if (value === undefined) throw new WrongMember(`${path} is not ${allowed.join(' or ')}`)
    return value
  }
  const number = (path: string, max: number): number => {
    const value = member(path)
    if (!Number.isInteger(value) || Number(value) < 1) throw new WrongMember(`${path} is not a number`)
    if (Number(value) > max) throw new WrongMember(`${path} is above ${max}`)
    return Number(value)
  }
  const hex = (path: string, bytes?: number): string => {
    const [, digits] = /^(?:0x)?((?:[\da-f]{2})+)$/i.exec(String(member(path))) ?? []
    if (digits === undefined) throw new WrongMember(`${path} is not hexadecimal`)
    if (bytes !== undefined && digits.length !== 2 * bytes) throw new WrongMember(`${path} has not ${bytes} bytes`)
    return digits.toLowerCase()
  }
  oneOf('version', 3)
  const kdf = oneOf('crypto.kdf', 'scrypt', 'pbkdf2')
  const common = { dklen: number('crypto.kdfparams.dklen', 64), salt: hex('crypto.kdfparams.salt') }
  const scryptParams = () => {
    const [n, r] = [number('crypto.kdfparams.n', 2 ** 30), number('crypto.kdfparams.r', 2 ** 20)]
    if (128 * n * r > MAX_SCRYPT_BYTES) throw new WrongMember('it asks for more memory than 1 GB')
    return { ...common, n, r, p: number('crypto.kdfparams.p', 16) }
  }
  const pbkdf2Params = () => {
    const prf = oneOf('crypto.kdfparams.prf', 'hmac-sha256')
    return { ...common, prf, c: number('crypto.kdfparams.c', MAX_PBKDF2_ROUNDS) }
  }
  return {
    crypto: {
      ...{ kdf, kdfparams: kdf === 'scrypt' ? scryptParams() : pbkdf2Params() },
      cipher: oneOf('crypto.cipher', 'aes-128-ctr'),
      cipherparams: { iv: hex('crypto.cipherparams.iv', 16) },
      ciphertext: hex('crypto.ciphertext', 32),
      mac: hex('crypto.mac', 32),
    },
    ...{ id: '', version: 3 },
  } as Keystore.Keystore
}

/** @throws CliError `key_password` if the password is not the file's. */
export async function openKeystore(keystore: Keystore.Keystore, password: string): Promise<Hex> {
  try {
    return Keystore.decrypt(keystore, await deriveKey(keystore, password))
  } catch {
    throw new CliError(EXIT.key, 'key_password', 'the password does not open the keystore')
  }
}

/** Writes a key into a new file that only its owner can read. @throws CliError `key_exists` */
export async function writeKeystore(file: string, privateKey: Hex, password: string): Promise<void> {
  const kdfparams = { n: SCRYPT_N, r: 8, p: 1, dklen: 32, salt: randomBytes(32).toString('hex') }
  const key = await stretch(password, kdfparams)
  const options = { kdf: 'scrypt', kdfparams, iv: randomBytes(16) } as const
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, `${JSON.stringify(Keystore.encrypt(privateKey, key, options))}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new CliError(EXIT.key, 'key_exists', `${file} already exists`)
  }
}

async function deriveKey({ crypto }: Keystore.Keystore, password: string): Promise<Keystore.Key> {
  const { n, r } = crypto.kdfparams as ScryptParams
  // OpenSSL accepts no other ratio of the two (RFC 7914, section 6), but such files exist.
  if (crypto.kdf === 'scrypt' && Math.log2(n) < 16 * r) return stretch(password, crypto.kdfparams as ScryptParams)
  return Keystore.toKeyAsync({ crypto, id: '', version: 3 } as Keystore.Keystore, { password })
}

interface ScryptParams {
  n: number
  r: number
  p: number
  dklen: number
  salt: string
}

/** The runtime's own scrypt, several times faster than one in JavaScript. */
async function stretch(password: string, { n, r, p, dklen, salt }: ScryptParams): Promise<Keystore.Key> {
  const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)
  const options = { N: n, r, p, maxmem: MAX_SCRYPT_BYTES * 2 }
  return `0x${(await derive(password.normalize('NFKC'), Buffer.from(salt, 'hex'), dklen, options)).toString('hex')}`
}

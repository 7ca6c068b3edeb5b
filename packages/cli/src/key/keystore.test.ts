import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Keystore from 'ox/Keystore'
import { afterAll, expect, test } from 'vitest'
import { openKeystore, readKeystore } from './keystore.ts'

const folder = mkdtempSync(join(tmpdir(), 'rackfair-keystore-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The example from the Web3 Secret Storage Definition. */
const EXAMPLE = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
    ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
    kdf: 'scrypt',
    kdfparams: { dklen: 32, n: 262_144, r: 1, p: 8, salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19' },
    mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
}

const fileOf = (value: unknown): string => {
  const file = join(folder, 'key.json')
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value))
  return file
}

test('opens the published example with its password only', async () => {
  const keystore = readKeystore(fileOf(EXAMPLE))
  expect(await openKeystore(keystore, 'testpassword')).toBe('0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d')
  await expect(openKeystore(keystore, 'testpassworD')).rejects.toMatchObject({ code: 'key_password', exitCode: 8 })
})

/** As others write it: ethers and old geth `Crypto`, some every member with capitals, hexadecimals with 0x or in capitals. */
const PRIVATE_KEY = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'
/** Stretched little: the published example alone takes two seconds of a processor. */
const [stretched, options] = Keystore.scrypt({ password: 'testpassword', n: 2 })
const { crypto } = Keystore.encrypt(PRIVATE_KEY, stretched, options)
const CAPITALS = {
  Version: 3,
  Crypto: {
    ...{ Cipher: crypto.cipher, CipherParams: { IV: crypto.cipherparams.iv }, CipherText: `0x${crypto.ciphertext}` },
    ...{
      KDF: crypto.kdf,
      KDFParams: { ...options.kdfparams, DKLen: 32, Salt: options.kdfparams.salt },
      MAC: crypto.mac.toUpperCase(),
    },
  },
}
test.each([
  [
    'Crypto, as ethers, Mist and MyEtherWallet write it',
    { address: '00', version: 3, Crypto: crypto, 'x-ethers': { client: 'ethers' } },
  ],
  ['every member with capitals', CAPITALS],
])('opens a file with %s', async (_, value) =>
  expect(await openKeystore(readKeystore(fileOf(value)), 'testpassword')).toBe(PRIVATE_KEY),
)

const without = (part: object) => ({ ...EXAMPLE, crypto: { ...crypto, ...part } })
test.each([
  ['it is no JSON', 'hello'],
  ['version is missing', '3'],
  ['version is missing', null],
  ['version is missing', []],
  ['version is not 3', { ...EXAMPLE, version: 1 }],
  ['crypto.kdf is missing', { version: 3 }],
  ['crypto.kdf is missing', { version: 3, crypto: 'x' }],
  ['crypto.kdf is not scrypt or pbkdf2', without({ kdf: 'argon2' })],
  ['crypto.kdfparams.salt is missing', without({ kdfparams: { n: 1, r: 1, p: 1, dklen: 32 } })],
  ['crypto.kdfparams.n is not a number', without({ kdfparams: { ...crypto.kdfparams, n: '2' } })],
  [
    'crypto.kdfparams.c is above 10000000',
    without({ kdf: 'pbkdf2', kdfparams: { dklen: 32, salt: '00', prf: 'hmac-sha256', c: 1e9 } }),
  ],
  ['crypto.cipherparams.iv is missing', without({ cipherparams: undefined })],
  ['crypto.cipherparams.iv has not 16 bytes', without({ cipherparams: { iv: '00' } })],
  ['crypto.mac is not hexadecimal', without({ mac: 'none' })],
])('names what is wrong: %s', (said, value) =>
  expect(() => readKeystore(fileOf(value))).toThrow(expect.objectContaining({ message: expect.stringContaining(`: ${said}`) })),
)

test.each([
  ['no JSON', 'hello'],
  ['another version', { ...EXAMPLE, version: 1 }],
  ['a cipher that nobody else writes', { ...EXAMPLE, crypto: { ...EXAMPLE.crypto, cipher: 'rot13' } }],
  [
    'more memory than there is',
    { ...EXAMPLE, crypto: { ...EXAMPLE.crypto, kdfparams: { ...EXAMPLE.crypto.kdfparams, n: 2 ** 40 } } },
  ],
  ['a file of any size', 'x'.repeat(70_000)],
])('%s is refused before a key is derived', (_what, value) => {
  expect(() => readKeystore(fileOf(value))).toThrow(expect.objectContaining({ code: 'key_unreadable', exitCode: 8 }))
})

test('reports a missing keystore file', () =>
  expect(() => readKeystore(join(folder, 'none.json'))).toThrow(expect.objectContaining({ code: 'key_missing' })))

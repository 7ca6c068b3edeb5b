import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError } from '@rackfair/rules/errors/AppError'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** Reads the hot key, or generates one that only this user can read. `given` (from the environment) is stored instead. */
export function ensureOperatorKey(file: string, given?: string): PrivateKeyAccount {
  if (given !== undefined || !existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, `${given ?? generatePrivateKey()}\n`, { mode: 0o600 })
    chmodSync(file, 0o600)
  }
  return loadOperatorKey(file)
}

export function loadOperatorKey(file: string): PrivateKeyAccount {
  if (!existsSync(file)) throw new AppError('bad_request', `the operator key ${file} is missing; run: rackfair-agent init`)
  if ((statSync(file).mode & 0o077) !== 0) throw new AppError('bad_request', `others can read ${file}; run: chmod 600 ${file}`)
  return parsePrivateKey(readFileSync(file, 'utf8').trim(), file)
}

/** An account from a private key; the error never repeats the input. */
export function parsePrivateKey(text: string, where: string): PrivateKeyAccount {
  const key = text.startsWith('0x') ? text : `0x${text}`
  if (!/^0x[0-9a-fA-F]{64}$/.test(key)) throw new AppError('bad_request', `${where} holds no private key (0x and 64 hex digits)`)
  return privateKeyToAccount(key as `0x${string}`)
}

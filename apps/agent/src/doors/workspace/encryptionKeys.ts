import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { formatAnnouncedKeys, MAX_ANNOUNCED_SECONDS } from '@rackfair/protocol/agentTexts'
import type { AnnouncedKeysWire } from '@rackfair/protocol/workspace'
import { AppError } from '@rackfair/rules/errors/AppError'
import { exportSecrets, type KeyPairs, makeEncryptionKeys } from '@rackfair/sealed'
import type { PrivateKeyAccount } from 'viem/accounts'
import { z } from 'zod'

const secrets = z.strictObject({ x25519: z.string().regex(/^[\w-]{43}$/), p256: z.string().regex(/^[\w-]{43}$/) })

/** What others seal to this agent with. The file is for its owner alone; without it new keys are made, and announced with the next connection. */
export async function loadEncryptionKeys(file: string): Promise<KeyPairs> {
  if (existsSync(file)) {
    try {
      return await makeEncryptionKeys(secrets.parse(JSON.parse(readFileSync(file, 'utf8'))))
    } catch {
      throw new AppError('bad_request', `${file} holds no encryption keys; delete it, and the agent makes new ones`)
    }
  }
  const keys = await makeEncryptionKeys()
  writeFileSync(file, `${JSON.stringify(await exportSecrets(keys))}\n`, { mode: 0o600, flush: true })
  return keys
}

/** Signs the public keys, so that the platform that passes them on cannot put its own in their place. */
export async function announceKeys(
  keys: KeyPairs,
  facts: { account: PrivateKeyAccount; chainId: number; provider: string; now: number },
): Promise<AnnouncedKeysWire> {
  const { account, chainId, provider, now } = facts
  const text = formatAnnouncedKeys({ chainId, provider, ...keys.publicKeys, expiresAt: now + MAX_ANNOUNCED_SECONDS })
  return { text, signature: await account.signMessage({ message: text }) }
}

import { readFileSync, writeFileSync } from 'node:fs'
import { formatSshHostKey } from '@rackfair/protocol/agentTexts'
import type { SshAccess } from '@rackfair/protocol/workspaceAnswers'
import { AppError } from '@rackfair/rules/errors/AppError'
import ssh2 from 'ssh2'
import type { PrivateKeyAccount } from 'viem/accounts'
import { fingerprintOf } from './parsePublicKey.ts'

export interface HostKey {
  /** For the server alone. */
  private: string
  /** As it stands in `known_hosts`, after the host. */
  line: string
  fingerprint: string
}

/** Of `ssh-ed25519` and 32 bytes, each with its length before it. */
const PUBLIC_BYTES = 51

/** The key that the SSH server proves itself with. Without the file a new one is made, and clients warn that it has changed. */
export function loadHostKey(file: string): HostKey {
  try {
    writeFileSync(file, makeHostKey(), { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  }
  const text = readFileSync(file, 'utf8')
  const key = readKey(text)
  if (!key) throw new AppError('bad_request', `${file} holds no ed25519 key; delete it, and the agent makes a new one`)
  const blob = key.getPublicSSH()
  return { private: text, line: `ssh-ed25519 ${blob.toString('base64')}`, fingerprint: fingerprintOf(blob) }
}

/** The library drops the zeros that one key in 256 begins with, and cannot read it then: such a key is not taken. */
export function makeHostKey(): string {
  for (;;) {
    const { private: made } = ssh2.utils.generateKeyPairSync('ed25519', { comment: 'rackfair' })
    if (readKey(made)) return made
  }
}

function readKey(text: string) {
  const key = ssh2.utils.parseKey(text)
  const isGood = !(key instanceof Error) && key.type === 'ssh-ed25519' && key.isPrivateKey()
  return isGood && key.getPublicSSH().length === PUBLIC_BYTES ? key : undefined
}

/** Under the operator's signature, so that a renter knows the server before the first connection. */
export async function announceHostKey(
  { line }: HostKey,
  facts: { account: PrivateKeyAccount; chainId: number; provider: string },
): Promise<SshAccess['hostKey']> {
  const text = formatSshHostKey({ ...facts, key: line })
  return { text, signature: await facts.account.signMessage({ message: text }) }
}

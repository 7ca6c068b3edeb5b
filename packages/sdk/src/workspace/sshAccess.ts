import { parseSshHostKey } from '@rackfair/protocol/agentTexts'
import { decodeJson, FRAME, readFrames } from '@rackfair/protocol/frames'
import { type SshAccess, sshAccess } from '@rackfair/protocol/workspaceAnswers'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import { type Address, sha256 } from 'viem'
import type { AgentFinder } from './findAgent.ts'
import { isSignedByProvider } from './isSignedByProvider.ts'
import { toWorkspaceError } from './toWorkspaceError.ts'
import type { Workspace } from './Workspace.ts'

/** `key` is one line as in a `.pub` file. */
export type SshKeysChange = { op: 'list' } | { op: 'add'; key: string } | { op: 'remove'; fingerprint: string }

/**
 * Who may sign in to an order by SSH, and where; adds or removes a public key first.
 * @throws AppError `ssh_key_refused`, `too_many_keys`, or why the workspace cannot be reached.
 * @example const { user, host, port } = await requestSshAccess(workspace, { op: 'add', key: await readFile('id_ed25519.pub', 'utf8') })
 */
export async function requestSshAccess(workspace: Pick<Workspace, 'open'>, request: SshKeysChange): Promise<SshAccess> {
  const stream = await workspace.open('sshKeys', request)
  try {
    for await (const { type, payload } of readFrames(stream.incoming))
      if (type === FRAME.json) return sshAccess(decodeJson(payload), 'ssh')
  } catch (error) {
    throw toWorkspaceError(error)
  }
  throw new AppError('stream_interrupted', 'the agent did not answer', { retryable: true })
}

/**
 * Verifies that the host key of a provider's SSH server is signed by the operator on the chain. Returns what a line of `known_hosts` has
 * after the host.
 * @throws AppError `wrong_provider`, `wrong_signer`
 * @example const line = `[${host}]:${port} ${await checkSshHostKey(market, provider, access.hostKey)}`
 */
export async function checkSshHostKey(
  market: Pick<AgentFinder, 'client' | 'addresses' | 'chainId'>,
  provider: Address,
  hostKey: SshAccess['hostKey'],
): Promise<string> {
  const host = parseSshHostKey(hostKey.text)
  if (host?.chainId !== market.chainId || host.provider !== lowerCaseAddress(provider))
    throw new AppError('wrong_provider', 'the host key is of another provider')
  if (!(await isSignedByProvider(market, provider, hostKey)))
    throw new AppError('wrong_signer', 'the host key is not signed by the provider’s operator')
  return host.key
}

/**
 * The fingerprint of a key as `ssh-keygen -l` shows it, from what `checkSshHostKey` returns: an agent may name another than that of the key
 * it signed.
 * @example sshFingerprint('ssh-ed25519 AAAA…') // 'SHA256:…'
 */
export function sshFingerprint(key: string): string {
  const blob = Uint8Array.from(atob(key.split(' ')[1] ?? ''), (character) => character.charCodeAt(0))
  const digest = String.fromCharCode(...sha256(blob, 'bytes'))
  return `SHA256:${btoa(digest).replace(/=+$/, '')}`
}

import { createHash, createPublicKey } from 'node:crypto'
import { isPlainValue } from '@rackfair/app-spec/plainText'
import { MAX_SSH_KEY_LENGTH } from '@rackfair/protocol/workspaceRequests'
import ssh2 from 'ssh2'
import { WorkspaceError } from '../workspace/WorkspaceChannel.ts'

const LINE = /^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)) ([0-9A-Za-z+/]{40,}={0,2})(?: (.*))?$/u
const MIN_RSA_BITS = 2048
const MAX_COMMENT_LENGTH = 100

export interface PublicKey {
  type: string
  /** As `ssh-keygen -l` shows it. */
  fingerprint: string
  comment: string
  /** Type and base64, without the comment. */
  line: string
}

export const fingerprintOf = (blob: Uint8Array): string =>
  `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`

/** Reads one line of a `.pub` file. @throws WorkspaceError `ssh_key_refused` with the reason. */
export function parsePublicKey(text: string): PublicKey {
  const line = text.trim()
  if (line.includes('PRIVATE KEY'))
    throw refused('this is a private key, which never leaves its machine; give the .pub file beside it')
  const match = line.length <= MAX_SSH_KEY_LENGTH ? LINE.exec(line) : null
  if (!match) throw refused('not a public key of one line: ssh-ed25519, ecdsa-sha2-nistp256, -384, -521 or ssh-rsa, then base64')
  const [, type = '', base64 = '', comment = ''] = match
  const key = ssh2.utils.parseKey(`${type} ${base64}`)
  if (key instanceof Error || key.type !== type) throw refused('the key is cut short or was changed')
  const { asymmetricKeyDetails } = createPublicKey(key.getPublicPEM())
  if (type === 'ssh-rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) < MIN_RSA_BITS)
    throw refused(`RSA keys have at least ${MIN_RSA_BITS} bits; make one with ssh-keygen -t ed25519`)
  const shown = isPlainValue(comment) ? comment.slice(0, MAX_COMMENT_LENGTH) : ''
  return { type, fingerprint: fingerprintOf(Buffer.from(base64, 'base64')), comment: shown, line: `${type} ${base64}` }
}

const refused = (message: string) => new WorkspaceError('ssh_key_refused', message)

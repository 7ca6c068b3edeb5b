import {
  countTo,
  fieldsOf,
  flag,
  listOf,
  malformed,
  oneOf,
  orNull,
  type Read,
  seconds,
  text,
  textOf,
} from '@rackfair/protocol/shape'

const MAX_KEYS = 1000
const MAX_PORT = 65_535
const MAX_SIGNED_TEXT = 10_000

/** A key that may sign in to an order by SSH. */
export interface SshKey {
  /** `ssh-ed25519` and the like. */
  type: string
  /** As `ssh-keygen -l` shows it. */
  fingerprint: string
  comment: string
  /** Unix seconds. */
  addedAt: number
  /** Of its last sign-in; null before the first. */
  usedAt: number | null
}

/** Who may sign in to an order by SSH, and where. */
export interface SshAccess {
  keys: readonly SshKey[]
  /** Name to sign in with: `order-12`. */
  user: string
  host: string
  /** Null if the provider has no port open: then only the stream `ssh` reaches it. */
  port: number | null
  /** Of the server's host key, as `ssh-keygen -l` shows it. */
  fingerprint: string
  /** The host key under the operator's signature. */
  hostKey: { text: string; signature: string }
}

/** A key of a browser or program for an order, as the agent knows it. Times in unix seconds. */
export interface RegisteredKey {
  /** The public key, as the grant names it. */
  key: string
  issuedAt: number
  expiresAt: number
  usedAt: number
  revokedAt: number | null
  /** The key that makes the request. */
  own: boolean
}

/** The first answer of a terminal. `resumed` is false if the requested session is gone and this is a new one. */
export interface TerminalOpened {
  session: string
  resumed: boolean
}

/** Why a terminal ended: its program exited, another connection took it over, or it was idle for too long. */
export type TerminalEnd = 'ended' | 'taken' | 'idle'

/**
 * An answer of the stream `sshKeys`.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export function readSshAccess(json: unknown): SshAccess {
  const of = fieldsOf(json, 'ssh')
  return {
    keys: of('keys', listOf(sshKey, MAX_KEYS)),
    user: of('user', word),
    host: of('host', word),
    port: of('port', orNull(countTo(MAX_PORT))),
    fingerprint: of('fingerprint', textOf(100)),
    hostKey: of('hostKey', (signed, name) => ({
      text: fieldsOf(signed, name)('text', textOf(MAX_SIGNED_TEXT)),
      signature: fieldsOf(signed, name)('signature', textOf(MAX_SIGNED_TEXT)),
    })),
  }
}

/**
 * An answer of the stream `keys`.
 * @throws AppError `answer_malformed`.
 */
export function readRegisteredKeys(json: unknown): readonly RegisteredKey[] {
  return listOf(registeredKey, MAX_KEYS)(json, 'keys')
}

/**
 * A `json` frame of the stream `terminal`: its first answer, or why it ended.
 * @throws AppError `answer_malformed`.
 */
export function readTerminalMessage(json: unknown): TerminalOpened | TerminalEnd {
  const of = fieldsOf(json, 'terminal')
  if (Object.hasOwn(json as object, 'closed')) return of('closed', oneOf('ended', 'taken', 'idle'))
  return { session: of('session', textOf(100)), resumed: of('resumed', flag) }
}

/** Part of a command that people copy: a single word of characters allowed in names and addresses. */
const word: Read<string> = (json, name) => {
  const read = text(json, name)
  if (!/^[\w.:[\]-]{1,255}$/.test(read) || read.startsWith('-')) throw malformed(name, 'a name')
  return read
}

const sshKey: Read<SshKey> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    type: of('type', textOf(100)),
    fingerprint: of('fingerprint', textOf(100)),
    comment: of('comment', textOf(4096)),
    addedAt: of('addedAt', seconds),
    usedAt: of('usedAt', orNull(seconds)),
  }
}

const registeredKey: Read<RegisteredKey> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    key: of('key', textOf(200)),
    issuedAt: of('issuedAt', seconds),
    expiresAt: of('expiresAt', seconds),
    usedAt: of('usedAt', seconds),
    revokedAt: of('revokedAt', orNull(seconds)),
    own: of('own', flag),
  }
}

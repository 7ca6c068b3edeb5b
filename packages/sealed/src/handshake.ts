import { type Bytes, concat, sha256, utf8 } from './bytes.ts'
import { exportRaw, KEMS, KEY_BYTES, type Kem, type KeyPairs, type PublicKeys, readPublicKey, suiteOf } from './encryptionKeys.ts'
import { createOpener, createSealer, DIRECTION_BYTES, type Sealer } from './records.ts'
import { splitSealed } from './requests.ts'
import { broken } from './StreamError.ts'

const HELLO = utf8('rackfair session 1')
const ANSWER = utf8('rackfair session answer 1')
const RECORDS = utf8('rackfair session records 1')
const SECRET_BYTES = 32

/** Seals and opens the records of a session, for one of its two ends. */
export interface SessionKeys {
  seal: Sealer
  open: Sealer
}

/**
 * The client's half of the handshake. Two secrets make up the session keys: one sealed to the agent's announced key, which authenticates
 * the agent, and one sealed to an ephemeral key of the client, so that recorded sessions stay secret if the announced key is compromised
 * (forward secrecy), and a replayed hello is useless.
 */
export interface Hello {
  /** 32 bytes unique to this session; the client signs them. */
  readonly binding: Bytes
  /** The message to send. `payload` identifies the client; only the agent can read it. */
  seal(payload: Uint8Array): Promise<Bytes>
  /** Processes the agent's answer. */
  finish(answer: Uint8Array): Promise<SessionKeys>
}

/** Begins a session with the owner of `keys`. `context` names both ends; a hello only opens in the same context. */
export async function startHello(keys: PublicKeys, context: string, kem: Kem): Promise<Hello> {
  const suite = suiteOf(kem)
  const recipientPublicKey = await readPublicKey(kem, keys[kem])
  const sender = await suite.createSenderContext({ recipientPublicKey, info: HELLO })
  const own = await suite.kem.generateKeyPair()
  const enc = new Uint8Array(sender.enc)
  const ownPublic = await exportRaw(kem, own.publicKey)
  const binding = await bindingOf(context, enc, ownPublic)
  let hello: Bytes | undefined
  return {
    binding,
    async seal(payload) {
      const sealed = await sender.seal(concat(ownPublic, payload), utf8(context))
      hello = concat(Uint8Array.of(KEMS[kem]), enc, new Uint8Array(sealed))
      return hello
    },
    async finish(answer) {
      if (!hello || answer.length !== KEY_BYTES[kem]) throw broken('not an answer to this session')
      const back = answer.slice() as Bytes
      const recipient = await suite.createRecipientContext({ recipientKey: own, enc: back, info: ANSWER }).catch(() => {
        throw broken('not an answer to this session')
      })
      const directions = await deriveRecords(await secretOf(sender), await secretOf(recipient), hello, back)
      return { seal: await createSealer(directions.up), open: await createOpener(directions.down) }
    },
  }
}

/** A hello as read by the agent. */
export interface ReadHello {
  readonly payload: Bytes
  readonly binding: Bytes
  /**
   * The agent's half: the message to send back, and the keys of the session.
   * @throws StreamError `stream_broken` for a key that leads to a secret that everybody knows.
   */
  accept(): Promise<{ answer: Bytes; keys: SessionKeys }>
}

/** @throws StreamError `stream_broken` if it was not sealed to these keys in this context. */
export async function readHello(keys: KeyPairs, hello: Uint8Array, context: string): Promise<ReadHello> {
  const { kem, enc, rest } = splitSealed(hello)
  const suite = suiteOf(kem)
  const size = KEY_BYTES[kem]
  try {
    const recipient = await suite.createRecipientContext({ recipientKey: keys.pairs[kem], enc, info: HELLO })
    const plain = new Uint8Array(await recipient.open(rest, utf8(context)))
    const theirs = plain.slice(0, size)
    const recipientPublicKey = await suite.kem.deserializePublicKey(theirs.buffer)
    return {
      payload: plain.slice(size),
      binding: await bindingOf(context, enc, theirs),
      async accept() {
        const sender = await suite.createSenderContext({ recipientPublicKey, info: ANSWER }).catch(() => {
          throw broken('the key of the hello leads to a secret that everybody knows')
        })
        const answer = new Uint8Array(sender.enc)
        const directions = await deriveRecords(await secretOf(recipient), await secretOf(sender), hello, answer)
        return { answer, keys: { seal: await createSealer(directions.down), open: await createOpener(directions.up) } }
      },
    }
  } catch {
    throw broken('the hello was sealed to another key, or changed on its way')
  }
}

const bindingOf = (context: string, enc: Uint8Array, own: Uint8Array): Promise<Bytes> =>
  sha256(concat(HELLO, Uint8Array.of(0), utf8(context), Uint8Array.of(0), enc, own))

const secretOf = async (context: { export(info: ArrayBuffer, length: number): Promise<ArrayBuffer> }): Promise<Bytes> =>
  new Uint8Array(await context.export(RECORDS.buffer, SECRET_BYTES))

/** Both secrets and both messages are mixed into the keys: tampering with any of them results in different keys. */
async function deriveRecords(first: Bytes, second: Bytes, hello: Uint8Array, answer: Uint8Array) {
  const material = await crypto.subtle.importKey('raw', concat(first, second), 'HKDF', false, ['deriveBits'])
  const salt = await sha256(concat(await sha256(hello), await sha256(answer)))
  const bits = await crypto.subtle.deriveBits(
    { name: 'HKDF', hash: 'SHA-256', salt, info: RECORDS },
    material,
    DIRECTION_BYTES * 2 * 8,
  )
  const both = new Uint8Array(bits)
  return { up: both.slice(0, DIRECTION_BYTES), down: both.slice(DIRECTION_BYTES) }
}

import { randomBytes, webcrypto } from 'node:crypto'
import { sessionContext } from '@rackfair/protocol/agentTexts'
import { formatSessionProof } from '@rackfair/protocol/workspaceText'
import {
  bestKem,
  connectSession,
  fromUtf8,
  type Kem,
  type MuxStream,
  type PublicKeys,
  type Session,
  StreamError,
  startHello,
  utf8,
} from '@rackfair/sealed'
import type { WorkspaceKey } from './makeTicket.ts'

/** A visitor's transport: sends to the platform, or straight to the agent. */
export interface VisitorWire {
  send(bytes: Uint8Array): Promise<void>
  close(): void
  /** Called with each incoming message, and once at the end. */
  listen(message: (bytes: Uint8Array) => void, closed: (code: string) => void): void
}

export interface OpenWorkspaceOptions {
  wire: VisitorWire
  agent: PublicKeys
  chainId: number
  provider: string
  key: WorkspaceKey
  kem?: Kem
  time?: number
  /** Corrupts what the key signs. */
  orderId?: bigint
}

/** A session with an order's workspace, as the web opens it. @throws StreamError with the agent's reason. */
export async function openWorkspace(options: OpenWorkspaceOptions) {
  const { wire, key, provider } = options
  const hello = await startHello(options.agent, sessionContext(options), options.kem ?? (await bestKem()))
  const nonce = randomBytes(16).toString('hex')
  const { time = Math.floor(Date.now() / 1000), orderId = key.orderId } = options
  const binding = Buffer.from(hello.binding).toString('hex')
  const text = Buffer.from(formatSessionProof({ orderId, provider, nonce, time, binding }))
  const proof = await webcrypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key.pair.privateKey, text)
  const payload = { grant: key.grant, signature: key.signature, nonce, time, proof: Buffer.from(proof).toString('base64url') }
  const sealed = await hello.seal(utf8(JSON.stringify(payload)))

  const ended = Promise.withResolvers<StreamError>()
  const answered = Promise.withResolvers<Uint8Array>()
  answered.promise.catch(() => undefined)
  const early: Uint8Array[] = []
  let session: Session | undefined
  let isAnswered = false
  wire.listen(
    (bytes) => {
      if (session) session.receive(bytes)
      else if (isAnswered) early.push(bytes)
      else {
        isAnswered = true
        answered.resolve(bytes)
      }
    },
    (code) => {
      answered.reject(new StreamError(code, 'the connection ended'))
      session?.interrupted(`the connection ended with ${code}`)
    },
  )
  await wire.send(sealed)
  session = connectSession({
    keys: await hello.finish(await answered.promise),
    maxStreams: 32,
    transport: {
      send: (record) => wire.send(record),
      close(error) {
        ended.resolve(error)
        wire.close()
      },
    },
  })
  for (const record of early) session.receive(record)
  await session.ready
  const opened = session
  return {
    session,
    sealed,
    ended: ended.promise,
    open: (kind: string, request: unknown = {}): MuxStream => opened.open(utf8(JSON.stringify({ kind, request }))),
    async ask<Answer>(kind: string, request: unknown): Promise<Answer> {
      return JSON.parse(await readText(this.open(kind, request))) as Answer
    },
    close: () => session.end(new StreamError('cancelled', 'the page was closed')),
  }
}

export async function readText(stream: MuxStream): Promise<string> {
  let text = ''
  for await (const chunk of stream.incoming) text += fromUtf8(chunk)
  await stream.closed
  return text
}

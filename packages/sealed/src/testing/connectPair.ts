import { utf8 } from '../bytes.ts'
import { connectSession, type MuxStream, type Session } from '../connectSession.ts'
import { type Kem, makeEncryptionKeys } from '../encryptionKeys.ts'
import { readHello, startHello } from '../handshake.ts'
import type { StreamError } from '../StreamError.ts'

type Direction = 'up' | 'down'

/** Both ends of a session in this process, with a man in the middle: it returns what arrives for what was sent. */
export async function connectPair(
  options: {
    onOpen?: (stream: MuxStream, request: Uint8Array) => void
    between?: (record: Uint8Array, direction: Direction) => readonly Uint8Array[]
    /** Blocks a sender, as a full socket would. */
    ready?: (direction: Direction) => Promise<void>
    maxStreams?: number
    kem?: Kem
  } = {},
) {
  const { between = (record) => [record], ready = () => Promise.resolve(), maxStreams = 16, kem = 'x25519' } = options
  const keys = await makeEncryptionKeys()
  const hello = await startHello(keys.publicKeys, 'context', kem)
  const read = await readHello(keys, await hello.seal(utf8('who asks')), 'context')
  const accepted = await read.accept()
  const closed: Partial<Record<Direction, StreamError>> = {}
  const carried = { up: 0, down: 0 }
  const transport = (direction: Direction, other: () => Session) => ({
    async send(record: Uint8Array) {
      await ready(direction)
      carried[direction] += record.length
      for (const arrived of between(record, direction)) other().receive(arrived)
    },
    close(error: StreamError) {
      closed[direction] = error
      other().interrupted('the other side is gone')
    },
  })
  const server: Session = connectSession({
    keys: accepted.keys,
    maxStreams,
    onOpen: options.onOpen ?? (() => undefined),
    transport: transport('down', () => client),
  })
  const client: Session = connectSession({
    keys: await hello.finish(accepted.answer),
    maxStreams,
    transport: transport('up', () => server),
  })
  return { client, server, closed, carried }
}

export async function readAll(incoming: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks)
}

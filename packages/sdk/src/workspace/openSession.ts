import { sessionContext } from '@rackfair/protocol/agentTexts'
import type { WorkspaceHello } from '@rackfair/protocol/workspace'
import { formatSessionProof } from '@rackfair/protocol/workspaceText'
import { AppError } from '@rackfair/rules/errors/AppError'
import {
  bestKem,
  connectSession,
  INTERRUPTED,
  type Session,
  StreamError,
  startHello,
  utf8,
  withResolvers,
} from '@rackfair/sealed'
import { serverSeconds } from '../serverClock.ts'
import type { FoundAgent } from './findAgent.ts'
import { hexOf, randomHex, signWithKey, type WorkspaceKey } from './workspaceKey.ts'

/** A WebSocket class with the browser's interface, such as that of `ws`. */
export type WebSocketClass = new (url: string) => object

const MAX_STREAMS = 16
/** The state of a WebSocket that can send. */
const OPEN = 1
/** The parts of a WebSocket in use. */
interface Socket {
  binaryType: string
  readonly readyState: number
  readonly bufferedAmount: number
  onopen: () => void
  onmessage: (event: { data: ArrayBuffer }) => void
  onerror: () => void
  onclose: (event: { reason: string }) => void
  send(bytes: Uint8Array): void
  close(): void
}
const MAX_BUFFERED_BYTES = 1024 * 1024
/** Interval between two checks of a full WebSocket, which does not say when it has room again. */
const ROOM_MS = 4
const PING_MS = 15_000
const SILENCE_MS = 45_000

/**
 * Connects to the agent of an order's provider and proves the key. Resolves once the agent has accepted this browser or program.
 * @param facts.WebSocket for runtimes without a global one, for example that of `ws`.
 * @throws StreamError with the agent's reason, or `stream_interrupted`.
 */
export async function openSession(
  agent: FoundAgent,
  key: WorkspaceKey,
  facts: { chainId: number; provider: string; WebSocket?: WebSocketClass | undefined },
): Promise<Session> {
  const hello = await startHello(agent.keys, sessionContext(facts), await bestKem())
  const nonce = randomHex(16)
  const time = serverSeconds()
  const binding = hexOf(hello.binding)
  const proof = formatSessionProof({ orderId: BigInt(key.orderId), provider: facts.provider, nonce, time, binding })
  const { grant, signature } = key
  const payload: WorkspaceHello = { grant, signature, nonce, time, proof: await signWithKey(key, proof) }
  const sealed = await hello.seal(utf8(JSON.stringify(payload)))

  const socket = openSocket(agent.url, facts.WebSocket)
  socket.binaryType = 'arraybuffer'
  const answered = withResolvers<Uint8Array>()
  /** Records that arrived before the keys to open them. */
  const early: Uint8Array[] = []
  let session: Session | undefined
  let isAnswered = false
  let heard = performance.now()
  // The close event that follows has the reason.
  socket.onerror = () => undefined
  socket.onopen = () => socket.send(sealed)
  socket.onmessage = ({ data }) => {
    heard = performance.now()
    const bytes = new Uint8Array(data)
    if (session) session.receive(bytes)
    else if (isAnswered) early.push(bytes)
    else answered.resolve(bytes)
    isAnswered = true
  }
  socket.onclose = ({ reason }) => {
    clearInterval(pinger)
    const error = new StreamError(reason || INTERRUPTED, 'the connection to the provider ended')
    answered.reject(error)
    session?.interrupted(error.message)
  }
  const pinger = setInterval(() => {
    if (performance.now() - heard > SILENCE_MS) {
      session?.interrupted('the provider has fallen silent')
      socket.close()
    } else session?.ping()
  }, PING_MS)
  try {
    session = connectSession({
      keys: await hello.finish(await answered.promise),
      maxStreams: MAX_STREAMS,
      transport: { send: (record) => sendRecord(socket, record), close: () => socket.close() },
    })
    for (const record of early.splice(0)) session.receive(record)
    await session.ready
    return session
  } catch (error) {
    socket.close()
    throw error
  }
}

async function sendRecord(socket: Socket, record: Uint8Array<ArrayBuffer>): Promise<void> {
  if (socket.readyState !== OPEN) throw new StreamError(INTERRUPTED, 'the connection to the provider ended')
  socket.send(record)
  while (socket.bufferedAmount > MAX_BUFFERED_BYTES && socket.readyState === OPEN)
    await new Promise((resolve) => setTimeout(resolve, ROOM_MS))
}

function openSocket(url: string, given: WebSocketClass | undefined): Socket {
  const Class = given ?? (globalThis as { WebSocket?: WebSocketClass }).WebSocket
  if (!Class) throw new AppError('workspace_unsupported', 'this runtime has no WebSocket: pass one in, for example that of ws')
  return new Class(url) as Socket
}

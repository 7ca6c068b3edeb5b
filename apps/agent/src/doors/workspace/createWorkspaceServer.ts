import { sessionContext } from '@rackfair/protocol/agentTexts'
import { AppError } from '@rackfair/rules/errors/AppError'
import { connectSession, type KeyPairs, type ReadHello, readHello, type Session, StreamError } from '@rackfair/sealed'
import { createTokenBuckets } from '../../foundation/buckets.ts'
import type { Log } from '../../foundation/log.ts'
import { reasonOf } from '../../foundation/reasonOf.ts'
import type { AdmittedSession, OwnerAdmission } from '../owner/createOwnerAdmission.ts'
import type { StreamDesk } from './createStreamDesk.ts'
import { createKeyHandler } from './keyHandler.ts'
import type { WorkspaceHandler } from './WorkspaceChannel.ts'

const MAX_VISITORS = 1024
/** What one platform may have opened: the networks that it names are its word alone. */
const HELLOS_OF_A_PLATFORM = { burst: 256, refillMs: 50 }
const MAX_SESSIONS_OF_AN_ORDER = 16
const MAX_STREAMS = 16
const MAX_HELLO_BYTES = 16 * 1024
const HELLO_MS = 15_000
/** Silence after which a browser counts as gone; it sends something every 15 seconds. */
const SILENCE_MS = 60_000

/** Serves the visitors that a platform relays. */
export interface VisitorPeer {
  /** Somebody has connected at the platform; `caller` is the network they come from, in the platform's words. */
  open(visitor: number, caller: string): void
  receive(visitor: number, bytes: Uint8Array): void
  closed(visitor: number): void
  /** The connection has ended, and with it every visitor's. */
  disconnected(): void
}

/** What carries the messages of visitors to a platform. */
export interface VisitorConnection {
  /** Resolves when the next message may follow. */
  send(visitor: number, bytes: Uint8Array): Promise<void>
  close(visitor: number, code: string): void
}

interface Visitor {
  caller: string
  drop: (code: string) => void
  session?: Session
  admitted?: AdmittedSession
  busy: boolean
  timer: NodeJS.Timeout
}

export interface WorkspaceServerOptions {
  chainId: number
  provider: string
  keys: KeyPairs
  admission: OwnerAdmission
  desk: StreamDesk
  log: Log
  /** Interval between checks that sessions are still authorized, in milliseconds. */
  checkMs: number
  /** Kinds that need to know who began the session. */
  ownKinds?: (admitted: AdmittedSession) => Readonly<Record<string, WorkspaceHandler>>
  /** A renter has revoked a key. */
  onRevoked?: (orderId: bigint, key: string) => void
}

/**
 * The agent's end of workspaces: admits sessions with a grant of the order's owner, and keeps checking that it still holds. Visitors come
 * through any number of platforms, each with limits of its own, so that none can take the room of another's.
 */
export function createWorkspaceServer(options: WorkspaceServerOptions) {
  const { admission } = options
  /** Of all platforms. */
  const visitors = new Set<Visitor>()
  const sessionsOf = (orderId: bigint) => [...visitors].filter(({ admitted }) => admitted?.orderId === orderId)
  const endKey = (orderId: bigint, key: string) => {
    for (const { admitted, session } of sessionsOf(orderId))
      if (admitted?.key === key) void session?.end(new StreamError('key_revoked', 'the key of this browser was revoked'))
  }
  const keyHandler = createKeyHandler(admission.keys, (orderId, key) => {
    options.onRevoked?.(orderId, key)
    endKey(orderId, key)
  })
  const handlersOf = (admitted: AdmittedSession) => ({ keys: keyHandler(admitted), ...options.ownKinds?.(admitted) })
  const admit = async (hello: ReadHello, caller: string, platform: string) => {
    const admitted = await admission.admit(hello, caller, platform)
    if (sessionsOf(admitted.orderId).length >= MAX_SESSIONS_OF_AN_ORDER)
      throw new AppError('too_many_streams', 'too many pages of this order are open')
    for (const key of admitted.crowdedOut) endKey(admitted.orderId, key)
    return admitted
  }
  const checks = startChecks(options, visitors)

  return {
    /** Serves whoever comes through one platform. */
    join: (connection: VisitorConnection, platform: string) =>
      servePlatform({ ...options, connection, platform, visitors, handlersOf, admit }),

    visitors: () => visitors.size,

    async stop(): Promise<void> {
      checks.stop()
      const sessions = [...visitors].flatMap(({ session }) => session ?? [])
      await Promise.all(sessions.map((one) => one.end(new StreamError('stream_interrupted', 'the agent restarts'))))
      for (const visitor of [...visitors]) visitor.drop('stream_interrupted')
      await checks.ended()
    },
  }
}
export type WorkspaceServer = ReturnType<typeof createWorkspaceServer>

/** Ends the sessions that are not authorized any more. */
function startChecks({ admission, checkMs, log }: WorkspaceServerOptions, visitors: ReadonlySet<Visitor>) {
  const check = async (visitor: Visitor) => {
    if (!visitor.admitted || !visitor.session) return
    try {
      await admission.check(visitor.admitted)
    } catch (cause) {
      // A briefly unreachable chain must not end sessions that were already admitted.
      if (cause instanceof AppError && cause.code !== 'chain_unreachable' && cause.code !== 'agent_busy')
        await visitor.session.end(new StreamError(cause.code, cause.message))
    }
  }
  let checking: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    checking = checking
      .then(() => Promise.all([...visitors].map(check)))
      .catch((error: unknown) => log.warn('sessions of workspaces cannot be checked', { reason: reasonOf(error) }))
  }, checkMs)
  timer.unref()
  return { stop: () => clearInterval(timer), ended: () => checking }
}

interface PlatformVisits extends WorkspaceServerOptions {
  connection: VisitorConnection
  platform: string
  /** Of all platforms. */
  visitors: Set<Visitor>
  admit: (hello: ReadHello, caller: string, platform: string) => Promise<AdmittedSession>
  handlersOf: (admitted: AdmittedSession) => Readonly<Record<string, WorkspaceHandler>>
}

/** Begins a visitor's session, and admits it or says why not. */
async function begin({
  visitor,
  keys,
  answer,
  admit,
  send,
  handlersOf,
  desk,
  log,
}: Pick<PlatformVisits, 'handlersOf' | 'desk' | 'log'> & {
  visitor: Visitor
  keys: Parameters<typeof connectSession>[0]['keys']
  answer: Uint8Array
  admit: () => Promise<AdmittedSession>
  send: (record: Uint8Array) => Promise<void>
}): Promise<void> {
  let admitted: AdmittedSession | undefined
  const session = connectSession({
    keys,
    maxStreams: MAX_STREAMS,
    transport: { send, close: ({ code }) => visitor.drop(code) },
    onOpen(stream, request) {
      if (admitted) void desk(admitted.orderId, stream, request, handlersOf(admitted))
      else stream.cancel('internal', 'the session has not begun')
    },
  })
  visitor.session = session
  await send(answer)
  try {
    admitted = await admit()
    visitor.admitted = admitted
    // The first thing that a client hears: from here on it may open streams.
    session.ping()
  } catch (cause) {
    const error = cause instanceof AppError ? cause : new AppError('internal', 'the agent failed', { cause })
    if (!(cause instanceof AppError)) log.error('a session of a workspace failed', { reason: reasonOf(cause) })
    await session.end(new StreamError(error.code, error.message))
  }
}

function servePlatform({ connection, platform, visitors, admit, handlersOf, ...options }: PlatformVisits): VisitorPeer {
  const { desk, log } = options
  const context = sessionContext(options)
  /** Of this platform, by its numbers. */
  const own = new Map<number, Visitor>()
  const hellos = createTokenBuckets({ burst: 30, refillMs: 500 })
  const allHellos = createTokenBuckets(HELLOS_OF_A_PLATFORM)

  const drop = (id: number, code: string) => {
    const visitor = own.get(id)
    if (!visitor) return
    own.delete(id)
    visitors.delete(visitor)
    clearTimeout(visitor.timer)
    visitor.session?.interrupted('the connection ended')
    connection.close(id, code)
  }
  const quietAfter = (id: number, ms: number) => setTimeout(() => drop(id, 'stream_interrupted'), ms).unref()

  const start = async (id: number, visitor: Visitor, bytes: Uint8Array) => {
    if (!hellos.take(visitor.caller) || !allHellos.take('')) return drop(id, 'rate_limited')
    const hello = await readHello(options.keys, bytes, context)
    const { answer, keys } = await hello.accept()
    if (!own.has(id)) return
    await begin({
      ...{ visitor, keys, answer, handlersOf, desk, log },
      admit: () => admit(hello, visitor.caller, platform),
      send: (record) => connection.send(id, record),
    })
  }

  return {
    open(id, caller) {
      if (own.has(id) || own.size >= MAX_VISITORS) return connection.close(id, 'rate_limited')
      const visitor = { caller, busy: false, drop: (code: string) => drop(id, code), timer: quietAfter(id, HELLO_MS) }
      own.set(id, visitor)
      visitors.add(visitor)
    },

    receive(id, bytes) {
      const visitor = own.get(id)
      if (!visitor) return
      if (visitor.session) {
        visitor.timer.refresh()
        visitor.session.receive(bytes)
        return
      }
      if (visitor.busy || bytes.length > MAX_HELLO_BYTES) {
        drop(id, 'stream_broken')
        return
      }
      visitor.busy = true
      clearTimeout(visitor.timer)
      visitor.timer = quietAfter(id, SILENCE_MS)
      start(id, visitor, bytes).catch((error: unknown) => {
        if (!(error instanceof StreamError)) log.warn('a visitor of a workspace could not be let in', { reason: reasonOf(error) })
        drop(id, error instanceof StreamError ? error.code : 'internal')
      })
    },

    closed: (id) => drop(id, 'stream_interrupted'),

    disconnected() {
      for (const id of [...own.keys()]) drop(id, 'stream_interrupted')
    },
  }
}

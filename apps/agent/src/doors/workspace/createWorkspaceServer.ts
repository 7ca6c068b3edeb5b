import { sessionContext } from '@rackfair/protocol/agentTexts'
import { AppError } from '@rackfair/rules/errors/AppError'
import { connectSession, type KeyPairs, readHello, type Session, StreamError } from '@rackfair/sealed'
import { createTokenBuckets } from '../../foundation/buckets.ts'
import type { Log } from '../../foundation/log.ts'
import { reasonOf } from '../../foundation/reasonOf.ts'
import type { AdmittedSession, OwnerAdmission } from '../owner/createOwnerAdmission.ts'
import type { StreamDesk } from './createStreamDesk.ts'
import { createKeyHandler } from './keyHandler.ts'
import type { WorkspaceHandler } from './WorkspaceChannel.ts'

const MAX_VISITORS = 1024
const MAX_SESSIONS_OF_AN_ORDER = 16
const MAX_STREAMS = 16
const MAX_HELLO_BYTES = 16 * 1024
const HELLO_MS = 15_000
/** Silence after which a browser counts as gone; it sends something every 15 seconds. */
const SILENCE_MS = 60_000

/** What carries the messages of visitors to the platform. */
export interface VisitorConnection {
  /** Resolves when the next message may follow. */
  send(visitor: number, bytes: Uint8Array): Promise<void>
  close(visitor: number, code: string): void
}

interface Visitor {
  caller: string
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
  connection: VisitorConnection
  log: Log
  /** Interval between checks that sessions are still authorized, in milliseconds. */
  checkMs: number
  /** Kinds that need to know who began the session. */
  ownKinds?: (admitted: AdmittedSession) => Readonly<Record<string, WorkspaceHandler>>
  /** A renter has revoked a key. */
  onRevoked?: (orderId: bigint, key: string) => void
}

/** The agent's end of workspaces: admits sessions with a grant of the order's owner, and keeps checking that it still holds. */
export function createWorkspaceServer(options: WorkspaceServerOptions) {
  const { admission, desk, connection, log } = options
  const context = sessionContext(options)
  const visitors = new Map<number, Visitor>()
  const hellos = createTokenBuckets({ burst: 30, refillMs: 500 })

  const drop = (id: number, code: string) => {
    const visitor = visitors.get(id)
    if (!visitor) return
    visitors.delete(id)
    clearTimeout(visitor.timer)
    visitor.session?.interrupted('the connection ended')
    connection.close(id, code)
  }
  const quietAfter = (id: number, ms: number) => setTimeout(() => drop(id, 'stream_interrupted'), ms).unref()
  const sessionsOf = (orderId: bigint) => [...visitors.values()].filter(({ admitted }) => admitted?.orderId === orderId)
  const endKey = (orderId: bigint, key: string) => {
    for (const { admitted, session } of sessionsOf(orderId))
      if (admitted?.key === key) void session?.end(new StreamError('key_revoked', 'the key of this browser was revoked'))
  }
  const keyHandler = createKeyHandler(admission.keys, (orderId, key) => {
    options.onRevoked?.(orderId, key)
    endKey(orderId, key)
  })
  const ownHandlers = (admitted: AdmittedSession) => ({ keys: keyHandler(admitted), ...options.ownKinds?.(admitted) })

  const start = async (id: number, visitor: Visitor, bytes: Uint8Array) => {
    if (!hellos.take(visitor.caller)) return drop(id, 'rate_limited')
    const hello = await readHello(options.keys, bytes, context)
    const { answer, keys } = await hello.accept()
    if (!visitors.has(id)) return
    let admitted: AdmittedSession | undefined
    const session = connectSession({
      keys,
      maxStreams: MAX_STREAMS,
      transport: {
        send: (record) => connection.send(id, record),
        close: ({ code }) => drop(id, code),
      },
      onOpen(stream, request) {
        if (admitted) void desk(admitted.orderId, stream, request, ownHandlers(admitted))
        else stream.cancel('internal', 'the session has not begun')
      },
    })
    visitor.session = session
    await connection.send(id, answer)
    try {
      const found = await admission.admit(hello, visitor.caller)
      if (sessionsOf(found.orderId).length >= MAX_SESSIONS_OF_AN_ORDER)
        throw new AppError('too_many_streams', 'too many pages of this order are open')
      for (const key of found.crowdedOut) endKey(found.orderId, key)
      admitted = found
      visitor.admitted = found
      // The first thing that a client hears: from here on it may open streams.
      session.ping()
    } catch (cause) {
      const error = cause instanceof AppError ? cause : new AppError('internal', 'the agent failed', { cause })
      if (!(cause instanceof AppError)) log.error('a session of a workspace failed', { reason: reasonOf(cause) })
      await session.end(new StreamError(error.code, error.message))
    }
  }

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
      .then(() => Promise.all([...visitors.values()].map(check)))
      .catch((error: unknown) => log.warn('sessions of workspaces cannot be checked', { reason: reasonOf(error) }))
  }, options.checkMs)
  timer.unref()

  return {
    /** Somebody has connected at the platform; `caller` is the network they come from, in the platform's words. */
    open(id: number, caller: string): void {
      if (visitors.has(id) || visitors.size >= MAX_VISITORS) connection.close(id, 'rate_limited')
      else visitors.set(id, { caller, busy: false, timer: quietAfter(id, HELLO_MS) })
    },

    receive(id: number, bytes: Uint8Array): void {
      const visitor = visitors.get(id)
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

    closed: (id: number) => drop(id, 'stream_interrupted'),

    /** The connection to the platform has ended, and with it everybody's. */
    disconnected(): void {
      for (const id of [...visitors.keys()]) drop(id, 'stream_interrupted')
    },

    visitors: () => visitors.size,

    async stop(): Promise<void> {
      clearInterval(timer)
      const sessions = [...visitors.values()].flatMap(({ session }) => session ?? [])
      await Promise.all(sessions.map((one) => one.end(new StreamError('stream_interrupted', 'the agent restarts'))))
      this.disconnected()
      await checking
    },
  }
}
export type WorkspaceServer = ReturnType<typeof createWorkspaceServer>

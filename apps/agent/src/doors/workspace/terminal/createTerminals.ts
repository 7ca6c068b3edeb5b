import { randomBytes } from 'node:crypto'
import { decodeJson, encodeFrame, encodeJson, FRAME, MAX_FRAME_BYTES, readFrames } from '@rackfair/protocol/frames'
import type { TerminalClosed, TerminalOpened } from '@rackfair/protocol/workspaceAnswers'
import { terminalEnd, terminalRequest, terminalSize } from '@rackfair/protocol/workspaceRequests'
import { createResizer } from '../../../runtime/latestSize.ts'
import { LOGIN_SHELL } from '../../../runtime/loginShell.ts'
import type { TerminalStream } from '../../../runtime/Runtime.ts'
import { parseRequest } from '../parseRequest.ts'
import { type WorkspaceChannel, WorkspaceError, type WorkspaceHandler } from '../WorkspaceChannel.ts'
import { createScrollback } from './scrollback.ts'

const MAX_PER_ORDER = 8
const MAX_UNSHOWN_BYTES = 128 * 1024

interface Session {
  id: string
  orderId: bigint
  /** Undefined in an application of one service, and in the main one of several. */
  service: string | undefined
  terminal: TerminalStream
  resize: (columns: number, rows: number) => Promise<void>
  scrollback: ReturnType<typeof createScrollback>
  /** Ends the stream that shows it now. */
  detach: ((why: TerminalClosed['closed']) => void) | undefined
  /** How far the stream that shows it has come. */
  shown: number | undefined
  /** Wakes the stream that shows it: there is output, or the end. */
  wake: () => void
  hasEnded: boolean
  idle: NodeJS.Timeout | undefined
}

interface WantedTerminal {
  columns: number
  rows: number
  service?: string | undefined
}

export interface TerminalsOptions {
  open(
    orderId: bigint,
    command: readonly string[],
    size: { columns: number; rows: number },
    service?: string,
  ): Promise<TerminalStream>
  isRunning(orderId: bigint, service?: string): Promise<boolean>
  /** Of silence, after which a terminal is closed, shown or not. */
  idleMs: number
}

/**
 * Terminals that outlive the page that shows them: after a reload the same shell and its screen are restored. While no page is attached,
 * output goes into a buffer of fixed size.
 */
export function createTerminals({ open, isRunning, idleMs }: TerminalsOptions) {
  const sessions = new Map<string, Session>()
  const opening = new Map<bigint, number>()
  const ofOrder = (orderId: bigint) => [...sessions.values()].filter((one) => one.orderId === orderId)

  const end = (session: Session, why: TerminalClosed['closed']) => {
    if (!sessions.delete(session.id)) return
    clearTimeout(session.idle)
    session.hasEnded = true
    session.terminal.stream.end()
    session.terminal.stream.destroy()
    session.detach?.(why)
    session.wake()
  }
  const touch = (session: Session) => {
    clearTimeout(session.idle)
    session.idle = setTimeout(() => end(session, 'idle'), idleMs)
    session.idle.unref()
  }

  const create = async (orderId: bigint, command: readonly string[], { service, ...size }: WantedTerminal) => {
    const count = () => ofOrder(orderId).length + (opening.get(orderId) ?? 0)
    // Detached terminals are evicted for new ones, oldest first.
    const left = ofOrder(orderId).find((one) => !one.detach)
    if (count() >= MAX_PER_ORDER && left) end(left, 'idle')
    if (count() >= MAX_PER_ORDER)
      throw new WorkspaceError('too_many_streams', `an order has at most ${MAX_PER_ORDER} terminals; close one of them`)
    opening.set(orderId, (opening.get(orderId) ?? 0) + 1)
    try {
      if (!(await isRunning(orderId, service))) throw new WorkspaceError('app_not_running', 'the application is not running')
      const terminal = await open(orderId, command, size, service)
      const session: Session = {
        ...{ id: randomBytes(16).toString('hex'), orderId, service, terminal, resize: createResizer(terminal) },
        ...{
          scrollback: createScrollback(),
          detach: undefined,
          shown: undefined,
          wake: () => {},
          hasEnded: false,
          idle: undefined,
        },
      }
      sessions.set(session.id, session)
      terminal.stream.on('data', (chunk: Buffer) => {
        session.scrollback.add(chunk)
        // An attached reader misses nothing: the program waits for it. While detached, it keeps running.
        if (session.shown !== undefined && session.scrollback.end() - session.shown > MAX_UNSHOWN_BYTES) terminal.stream.pause()
        session.wake()
      })
      for (const event of ['end', 'close', 'error']) terminal.stream.on(event, () => end(session, 'ended'))
      return session
    } finally {
      const others = (opening.get(orderId) ?? 1) - 1
      if (others > 0) opening.set(orderId, others)
      else opening.delete(orderId)
    }
  }

  const handler: WorkspaceHandler = async (orderId, raw, channel) => {
    const { session: wanted, command, columns, rows, service } = parseRequest(terminalRequest, raw)
    const found = wanted === undefined ? undefined : sessions.get(wanted)
    const resumed = found?.orderId === orderId && found.service === service ? found : undefined
    const session = resumed ?? (await create(orderId, command ?? LOGIN_SHELL, { columns, rows, service }))
    if (channel.signal.aborted && !resumed) return end(session, 'ended')
    session.detach?.('taken')
    void session.resize(columns, rows)
    await channel.write(encodeJson({ session: session.id, resumed: resumed !== undefined } satisfies TerminalOpened))
    await show(session, channel)
  }

  const show = async (session: Session, channel: WorkspaceChannel): Promise<void> => {
    let closed: TerminalClosed['closed'] | undefined
    let wakeMe = () => {}
    const detach = (why: TerminalClosed['closed']) => {
      closed ??= why
      wakeMe()
    }
    session.detach = detach
    session.wake = () => wakeMe()
    const onAbort = () => wakeMe()
    channel.signal.addEventListener('abort', onAbort)
    touch(session)
    const typing = type(session, channel, () => closed === undefined).catch(() => {})
    try {
      let at = session.scrollback.start()
      while (!channel.signal.aborted) {
        const bytes = session.scrollback.read(at, MAX_FRAME_BYTES)
        at = bytes.next
        if (bytes.chunk.length > 0) {
          session.shown = at
          await channel.write(encodeFrame(FRAME.bytes, bytes.chunk))
          session.terminal.stream.resume()
        } else if (closed ?? (session.hasEnded ? 'ended' : undefined)) break
        else {
          await new Promise<void>((resolve) => {
            wakeMe = resolve
            if (channel.signal.aborted || closed || session.hasEnded || session.scrollback.end() > at) resolve()
          })
        }
      }
      if (!channel.signal.aborted) await channel.write(encodeJson({ closed: closed ?? 'ended' } satisfies TerminalClosed))
    } finally {
      channel.signal.removeEventListener('abort', onAbort)
      if (session.detach === detach) {
        session.detach = undefined
        session.shown = undefined
        session.wake = () => {}
        session.terminal.stream.resume()
      }
      if (channel.signal.aborted) await typing
    }
  }

  const type = async (session: Session, channel: WorkspaceChannel, isShown: () => boolean): Promise<void> => {
    const { stream } = session.terminal
    for await (const { type: kind, payload } of readFrames(channel.incoming)) {
      if (!isShown() || session.hasEnded) return
      touch(session)
      if (kind === FRAME.bytes) {
        // Backpressure: a shell that does not read must block its user, not grow this process.
        if (!stream.write(Buffer.from(payload))) await drained(session, channel.signal)
        continue
      }
      const message = kind === FRAME.json ? decodeJson(payload) : undefined
      const size = terminalSize.safeParse(message)
      if (size.success) void session.resize(size.data.columns, size.data.rows)
      if (terminalEnd.safeParse(message).success) return end(session, 'ended')
    }
  }

  return {
    handler,
    /** Terminals of an order, shown or not. */
    count: (orderId: bigint) => ofOrder(orderId).length,
    close() {
      for (const session of sessions.values()) end(session, 'ended')
    },
  }
}

function drained({ terminal: { stream } }: Session, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted || stream.destroyed) return resolve()
    const done = () => {
      stream.off('drain', done)
      stream.off('close', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    stream.once('drain', done)
    stream.once('close', done)
    signal.addEventListener('abort', done, { once: true })
  })
}

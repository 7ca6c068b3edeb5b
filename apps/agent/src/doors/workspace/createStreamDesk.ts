import { AppError } from '@rackfair/rules/errors/AppError'
import { fromUtf8, type MuxStream } from '@rackfair/sealed'
import { z } from 'zod'
import type { Log } from '../../foundation/log.ts'
import { reasonOf } from '../../foundation/reasonOf.ts'
import { WorkspaceError, type WorkspaceHandler } from './WorkspaceChannel.ts'

/** Limit per order, over all browsers. */
const MAX_STREAMS = 16
const MAX_TERMINALS = 8

const opening = z.object({ kind: z.string().max(20), request: z.unknown() })

/** Dispatches each stream to the handler of its kind, and ends it with the handler's result. */
export function createStreamDesk(
  handlersOf: (orderId: bigint) => Readonly<Record<string, WorkspaceHandler | undefined>>,
  log: Log,
) {
  const open = new Map<bigint, Map<MuxStream, string>>()

  const admit = (orderId: bigint, kind: string, stream: MuxStream) => {
    const streams = open.get(orderId) ?? new Map<MuxStream, string>()
    if (streams.size >= MAX_STREAMS)
      throw new WorkspaceError('too_many_streams', `at most ${MAX_STREAMS} streams of an order at once`)
    if (kind === 'terminal' && [...streams.values()].filter((one) => one === kind).length >= MAX_TERMINALS)
      throw new WorkspaceError('too_many_streams', `at most ${MAX_TERMINALS} terminals of an order at once`)
    open.set(orderId, streams.set(stream, kind))
    stream.signal.addEventListener('abort', () => {
      streams.delete(stream)
      if (streams.size === 0 && open.get(orderId) === streams) open.delete(orderId)
    })
  }

  const refuse = (stream: MuxStream, kind: string, cause: unknown) => {
    // The reader has left, or the session has ended: the handler's error for that is not worth reporting.
    if (stream.signal.aborted) return
    const error = cause instanceof AppError ? cause : new AppError('internal', 'the agent failed', { cause })
    if (!(cause instanceof AppError)) log.error('a stream of a workspace failed', { kind, reason: reasonOf(cause) })
    stream.cancel(error.code, error.message)
  }

  /** Serves a stream of an order's owner until its end. `own` are kinds that this session itself serves. */
  return async (orderId: bigint, stream: MuxStream, request: Uint8Array, own: Readonly<Record<string, WorkspaceHandler>>) => {
    let kind = ''
    try {
      const read = readOpening(request)
      kind = read.kind
      const handlers = handlersOf(orderId)
      const handler = Object.hasOwn(own, kind) ? own[kind] : Object.hasOwn(handlers, kind) ? handlers[kind] : undefined
      if (!handler) throw new WorkspaceError('workspace_unsupported', 'this agent does not serve this kind of stream')
      admit(orderId, kind, stream)
      await handler(orderId, read.request, stream)
      stream.finish()
    } catch (cause) {
      refuse(stream, kind, cause)
    }
  }
}
export type StreamDesk = ReturnType<typeof createStreamDesk>

function readOpening(request: Uint8Array) {
  try {
    return opening.parse(JSON.parse(fromUtf8(request)))
  } catch {
    throw new WorkspaceError('bad_request', 'the request of the stream cannot be read')
  }
}

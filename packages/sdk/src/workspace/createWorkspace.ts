import { decodeJson } from '@rackfair/protocol/frames'
import { malformed } from '@rackfair/protocol/shape'
import { type RegisteredKey, workspaceKeys } from '@rackfair/protocol/workspaceAnswers'
import { type MuxStream, type Session, StreamError, utf8 } from '@rackfair/sealed'
import { toWorkspaceError } from './toWorkspaceError.ts'
import type { FollowOptions, Workspace, WorkspaceKind } from './Workspace.ts'

/** Without a stream for this long, the connection is closed. */
const IDLE_MS = 30_000
const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 10_000
/** More than the keys of an order take. */
const MAX_KEYS_LENGTH = 2 ** 20

/** The streams of an order over a connection that is opened on demand, and reopened after it was lost. */
export function createWorkspace(connect: () => Promise<Session>): Workspace {
  let session: Promise<Session> | undefined
  let streams = 0
  let idle: ReturnType<typeof setTimeout> | undefined

  const current = () => {
    session ??= connect()
    const mine = session
    mine.catch(() => forget(mine))
    return mine
  }
  const forget = (lost: Promise<Session>) => {
    if (session === lost) session = undefined
  }
  const end = () => {
    const ending = session
    session = undefined
    ending?.then((open) => open.end(new StreamError('cancelled', 'the workspace was closed'))).catch(() => undefined)
  }
  const track = (stream: MuxStream, used: Promise<Session>) => {
    clearTimeout(idle)
    streams += 1
    stream.closed
      .catch(({ code }: StreamError) => {
        // These codes mean that the session is gone with all of its streams; a cancelled stream leaves it intact.
        if (code === 'stream_interrupted' || code === 'stream_broken') forget(used)
      })
      .finally(() => {
        streams -= 1
        if (streams === 0) idle = setTimeout(end, IDLE_MS)
      })
    return stream
  }

  const open = async (kind: WorkspaceKind, request: unknown = {}) => {
    const opening = utf8(JSON.stringify({ kind, request }))
    for (let isSecond = false; ; isSecond = true) {
      const used = current()
      try {
        return track((await used).open(opening), used)
      } catch (error) {
        const isNew = session === undefined
        if ((error as StreamError).code !== 'too_many_streams') forget(used)
        // A session that ended while idle is worth a second try.
        if (isSecond || isNew) throw toWorkspaceError(error)
      }
    }
  }

  const ask = async (request: unknown): Promise<readonly RegisteredKey[]> => {
    const stream = await open('keys', request)
    const decoder = new TextDecoder()
    let text = ''
    try {
      for await (const bytes of stream.incoming) {
        text += decoder.decode(bytes, { stream: true })
        if (text.length > MAX_KEYS_LENGTH) throw malformed('keys', `at most ${MAX_KEYS_LENGTH} characters`)
      }
    } catch (error) {
      stream.cancel()
      throw toWorkspaceError(error)
    }
    return workspaceKeys(decodeJson(utf8(text)), 'keys')
  }

  return {
    open,
    follow: (options) => follow(open, options),
    keys: () => ask({ action: 'list' }),
    revoke: (key) => ask({ action: 'revoke', key }),
    close() {
      clearTimeout(idle)
      end()
    },
  }
}

async function follow(open: Workspace['open'], { kind, request, onBytes, onState, signal }: FollowOptions): Promise<void> {
  let retryMs = FIRST_RETRY_MS
  while (!signal.aborted) {
    try {
      const stream = await open(kind, request())
      const cancel = () => stream.cancel()
      signal.addEventListener('abort', cancel, { once: true })
      try {
        if (signal.aborted) cancel()
        onState?.('open')
        for await (const bytes of stream.incoming) {
          retryMs = FIRST_RETRY_MS
          await onBytes(bytes)
        }
        return
      } finally {
        signal.removeEventListener('abort', cancel)
        // `onBytes` may have refused what came.
        cancel()
      }
    } catch (cause) {
      if (signal.aborted) return
      const error = toWorkspaceError(cause)
      if (!error.retryable) throw error
      onState?.('waiting')
      await pause(retryMs, signal)
      retryMs = Math.min(MAX_RETRY_MS, retryMs * 2)
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms * (0.5 + Math.random() / 2))
    signal.addEventListener('abort', done)
  })
}

import { FRAME, readFrames } from '@rackfair/protocol/frames'
import { decodeLogBatch, type LogLine } from '@rackfair/protocol/logLines'
import { pause } from '../pause.ts'
import { toWorkspaceError } from './toWorkspaceError.ts'
import type { Workspace } from './Workspace.ts'

export interface LogsOptions {
  /** Keeps yielding new lines, across lost connections, until `signal` aborts. */
  follow?: boolean | undefined
  /** Lines before the end to begin with; without it and without a cursor, begins at the oldest line kept. */
  tail?: number | undefined
  /** Cursor of a line that was read before: continues after it. */
  cursor?: string | undefined
  /** `waiting` while the connection is lost and being retried. */
  onState?: (state: 'open' | 'waiting') => void
  signal?: AbortSignal | undefined
}

/** A line; the last one of each batch has the cursor to continue after it. */
export type FollowedLine = LogLine & { cursor?: string }

const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 10_000

/**
 * The log of an order: what the provider's agent did for it, and stdout and stderr of its application. No line is lost or repeated across
 * lost connections; if lines are missing because they were not kept, the next line has `gap`. The bytes of a line are untrusted and may
 * contain escape sequences.
 *
 * @throws AppError `workspace_unsupported`, `order_not_owned`, `key_revoked`; without `follow` also `provider_offline` (retryable).
 * @example for await (const line of logs(workspace, { tail: 100 })) console.log(visibleText(new TextDecoder().decode(line.bytes)))
 */
export async function* logs(workspace: Workspace, options: LogsOptions = {}): AsyncGenerator<FollowedLine> {
  const { follow = false, tail, onState, signal } = options
  let { cursor } = options
  let retryMs = FIRST_RETRY_MS
  while (!signal?.aborted) {
    let cancel: () => void = () => undefined
    try {
      const from = cursor === undefined ? { ...(tail === undefined ? {} : { tail }) } : { cursor }
      const stream = await workspace.open('logs', { ...from, follow })
      cancel = () => stream.cancel()
      stream.closed.catch(() => undefined)
      signal?.addEventListener('abort', cancel, { once: true })
      if (signal?.aborted) cancel()
      onState?.('open')
      for await (const { type, payload } of readFrames(stream.incoming)) {
        if (type !== FRAME.logBatch) continue
        retryMs = FIRST_RETRY_MS
        const batch = decodeLogBatch(payload)
        for (const [index, line] of batch.lines.entries())
          yield index === batch.lines.length - 1 ? { ...line, cursor: batch.cursor } : line
        cursor = batch.cursor
      }
      return
    } catch (cause) {
      if (signal?.aborted) return
      const error = toWorkspaceError(cause)
      if (!error.retryable || !follow) throw error
      onState?.('waiting')
      await pause(retryMs * (0.5 + Math.random() / 2), signal).catch(() => undefined)
      retryMs = Math.min(MAX_RETRY_MS, retryMs * 2)
    } finally {
      signal?.removeEventListener('abort', cancel)
      cancel()
    }
  }
}

import { decodeJson, encodeJson, FRAME, readFrames } from '@rackfair/protocol/frames'
import { type TerminalEnd, terminalMessage } from '@rackfair/protocol/workspaceAnswers'
import type { TerminalRequest } from '@rackfair/protocol/workspaceRequests'
import { withStream, writeBytes } from './exec.ts'
import type { Workspace } from './Workspace.ts'

export interface TerminalOptions extends Omit<TerminalRequest, 'session'> {
  /** Keystrokes. The terminal ends with them. */
  input: AsyncIterable<Uint8Array>
  /** Raw output of the program, escape sequences included. */
  onBytes: (bytes: Uint8Array) => void | Promise<void>
  /** Called once the terminal is open, with a function that resizes it. */
  onOpen?: (resize: (size: { columns: number; rows: number }) => void) => void
  signal?: AbortSignal | undefined
}

/**
 * Runs a program in a terminal of the application's container until it ends. Resolves to how it ended: agents do not report the exit code.
 *
 * @throws AppError `app_not_running`, `stream_interrupted` (retryable), `too_many_streams`.
 * @example await terminal(workspace, { columns: 80, rows: 24, input: process.stdin, onBytes: (bytes) => process.stdout.write(bytes) })
 */
export async function terminal(workspace: Workspace, options: TerminalOptions): Promise<TerminalEnd> {
  const { input, onBytes, onOpen, signal, columns, rows, command } = options
  const request = { columns, rows, ...(command === undefined ? {} : { command }) }
  return withStream(workspace, 'terminal', request, signal, async (stream) => {
    onOpen?.((size) => void stream.write(encodeJson(size)).catch(() => undefined))
    const feeding = (async () => {
      for await (const piece of input) await writeBytes(stream, piece)
      await stream.write(encodeJson({ end: true }))
    })()
    feeding.catch(() => undefined)
    for await (const { type, payload } of readFrames(stream.incoming)) {
      if (type === FRAME.bytes) await onBytes(payload)
      const answer = type === FRAME.json ? terminalMessage(decodeJson(payload), 'terminal') : undefined
      if (answer && 'closed' in answer) return answer.closed
    }
    return 'ended'
  })
}

import { decodeJson, encodeFrame, encodeJson, FRAME, readFrames } from '@rackfair/protocol/frames'
import type { AppError } from '@rackfair/rules/errors/AppError'
import type { TerminalEnd, TerminalOpened, Workspace, WorkspaceStream } from '@rackfair/sdk/workspace'
import { terminalMessage, toWorkspaceError } from '@rackfair/sdk/workspace'

const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 10_000
/** Of what is typed or pasted in one frame. */
const PIECE_BYTES = 32 * 1024
/** Frames that wait until the machine takes them. A screen answers what a program asks of it, as fast as it asks. */
const MAX_WAITING = 4096

export interface TerminalSize {
  columns: number
  rows: number
}

export interface TerminalEvents {
  /** A shell is attached. `resumed` says whether it is the requested one; its screen contents follow. */
  onOpened(opened: TerminalOpened): void
  /** Resolves when the output is drawn; no more is delivered until then. */
  onBytes(bytes: Uint8Array): Promise<void>
  /** The connection was lost; called on the first reconnect attempt. */
  onLost(): void
  /** The end, and why; with an error where it was refused. */
  onClosed(why: TerminalEnd | AppError): void
}

export interface ConnectedTerminal {
  /** Does nothing while disconnected: keys typed blindly would take effect later, unseen. */
  type(bytes: Uint8Array): void
  resize(size: TerminalSize): void
  /** Ends the shell with what runs in it. */
  end(): void
  /** Detaches, leaving the shell to be resumed. */
  leave(): void
}

/** Opens a shell in the order's container, or resumes a detached one, and reattaches after broken connections. */
export function connectTerminal(
  workspace: Workspace,
  { session, size, events }: { session: string | undefined; size: TerminalSize; events: TerminalEvents },
): ConnectedTerminal {
  let wanted = session
  let current = size
  let stream: WorkspaceStream | undefined
  let isLost = false
  const leaving = new AbortController()
  let waiting = 0
  const send = (frame: Uint8Array) => {
    if (!stream || waiting >= MAX_WAITING) return
    waiting += 1
    const taken = () => {
      waiting -= 1
    }
    // The read side reports why it failed.
    stream.write(frame).then(taken, taken)
  }

  /** Resolves with the reason why the terminal was closed; undefined if it was detached. */
  const show = async (): Promise<TerminalEnd | undefined> => {
    const opened = await workspace.open('terminal', { ...current, ...(wanted === undefined ? {} : { session: wanted }) })
    const leave = () => opened.cancel()
    leaving.signal.addEventListener('abort', leave, { once: true })
    if (leaving.signal.aborted) leave()
    try {
      for await (const { type, payload } of readFrames(opened.incoming)) {
        if (type === FRAME.bytes) await events.onBytes(payload)
        if (type !== FRAME.json) continue
        const message = terminalMessage(decodeJson(payload), 'terminal')
        if (!message) continue
        if ('closed' in message) return message.closed
        wanted = message.session
        stream = opened
        isLost = false
        events.onOpened(message)
      }
      return 'ended'
    } finally {
      stream = undefined
      leaving.signal.removeEventListener('abort', leave)
    }
  }

  const run = async () => {
    for (let retryMs = FIRST_RETRY_MS; !leaving.signal.aborted; retryMs = Math.min(MAX_RETRY_MS, retryMs * 2)) {
      try {
        const why = await show()
        if (!leaving.signal.aborted) events.onClosed(why ?? 'ended')
        return
      } catch (cause) {
        if (leaving.signal.aborted) return
        const error = toWorkspaceError(cause)
        if (!error.retryable) return events.onClosed(error)
        if (!isLost) {
          isLost = true
          retryMs = FIRST_RETRY_MS
          events.onLost()
        }
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
  }
  void run()

  return {
    type(bytes) {
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) send(encodeFrame(FRAME.bytes, bytes.subarray(at, at + PIECE_BYTES)))
    },
    resize(next) {
      if (next.columns === current.columns && next.rows === current.rows) return
      current = next
      send(encodeJson(next))
    },
    end: () => send(encodeJson({ end: true })),
    leave: () => leaving.abort(),
  }
}

import { AppError } from '@rackfair/rules/errors/AppError'
import type { AgentCode, WorkspaceCode } from '@rackfair/rules/errors/errorCodes'

/** One stream of a workspace, with back-pressure in both directions. */
export interface WorkspaceChannel {
  /** What the renter's side sends, until it ends its half. Reading grants the sender credit. */
  readonly incoming: AsyncIterable<Uint8Array>
  /** Resolves when the bytes have been sent; a stalled reader blocks its own source, not other streams. */
  write(bytes: Uint8Array): Promise<void>
  /** Aborted when the stream ends for any reason: reader gone, key revoked, order over. */
  readonly signal: AbortSignal
}

/** Serves one kind of stream. Returns when it is complete, throws a WorkspaceError to end it with a code. `request` is a stranger's. */
export type WorkspaceHandler = (orderId: bigint, request: unknown, channel: WorkspaceChannel) => Promise<void>

/** What a renter may open on an order. */
export type WorkspaceKind = 'logs' | 'usage' | 'terminal' | 'exec' | 'files' | 'power' | 'events' | 'ssh' | 'domains'

export type WorkspaceHandlers = Readonly<Record<WorkspaceKind, WorkspaceHandler>>

/** Codes that may end a stream; the web has a sentence for each. */
export type WorkspaceErrorCode = WorkspaceCode | AgentCode | 'bad_request' | 'rate_limited' | 'internal'

/** Ends a stream with a code. The message reaches the renter's side as its details, sealed: it names nothing of other orders. */
export class WorkspaceError extends AppError<WorkspaceErrorCode> {
  constructor(code: WorkspaceErrorCode, message: string) {
    super(code, message)
    this.name = 'WorkspaceError'
  }
}

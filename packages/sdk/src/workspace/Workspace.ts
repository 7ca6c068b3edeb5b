import type { RegisteredKey } from '@rackfair/protocol/workspaceAnswers'
import type { Stream } from '@rackfair/sealed'

/** What can be opened on an order; each has its handler in the agent. */
export type WorkspaceKind =
  | 'logs'
  | 'usage'
  | 'terminal'
  | 'exec'
  | 'files'
  | 'power'
  | 'events'
  | 'keys'
  | 'ssh'
  | 'sshKeys'
  | 'domains'
  /** Data of `MACHINES`, for the provider itself. */
  | 'machines'

/**
 * One stream: read `incoming`, `write`, `end` this half, `cancel`. Failures are StreamErrors; `toWorkspaceError` turns them into AppErrors.
 */
export type WorkspaceStream = Stream

export interface FollowOptions {
  kind: WorkspaceKind
  /** Called for each connection, so that it can resume where the last one ended (a cursor). */
  request: () => unknown
  onBytes: (bytes: Uint8Array) => void | Promise<void>
  /** `waiting` while the connection is lost and being retried. */
  onState?: (state: 'open' | 'waiting') => void
  signal: AbortSignal
}

/** An order's workspace: sealed streams to the provider's agent over one connection, which is opened and closed as needed. */
export interface Workspace {
  /**
   * Opens a stream.
   * @throws AppError: the agent's reason for refusing, or `platform_unreachable`, `provider_offline`, `stream_interrupted` (retryable).
   * @example const stream = await workspace.open('logs', { follow: true }); for await (const bytes of stream.incoming) show(bytes)
   */
  open(kind: WorkspaceKind, request?: unknown): Promise<WorkspaceStream>
  /**
   * Opens a stream, and reopens it whenever its connection is lost first. Resolves at its end, or when `signal` aborts. @throws AppError
   */
  follow(options: FollowOptions): Promise<void>
  /** The browsers and programs that have a key for this order. */
  keys(): Promise<readonly RegisteredKey[]>
  /** Revokes a key; its sessions end at once. */
  revoke(key: string): Promise<readonly RegisteredKey[]>
  /** Ends every stream. */
  close(): void
}

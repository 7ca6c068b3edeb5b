import type { Stream } from '@rackfair/sealed'
import type { RegisteredKey } from './read/access.ts'

/** What may be opened on an order; each has its handler at the agent. */
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
  /** Of `MACHINES`, for the provider itself. */
  | 'machines'

/** One stream: read `incoming`, `write`, `end` this half, `cancel`. Failures are StreamErrors; `toWorkspaceError` makes them AppErrors. */
export type WorkspaceStream = Stream

export interface FollowOptions {
  kind: WorkspaceKind
  /** Asked at each connection, so that it can name where the last one ended (a cursor). */
  request: () => unknown
  onBytes: (bytes: Uint8Array) => void | Promise<void>
  /** `waiting` while the connection is away and tried again. */
  onState?: (state: 'open' | 'waiting') => void
  signal: AbortSignal
}

/** An order's workspace: sealed streams to the provider's agent over one connection, which comes and goes by itself. */
export interface Workspace {
  /**
   * Opens a stream.
   * @throws AppError: why the agent refuses, or `platform_unreachable`, `provider_offline`, `stream_interrupted` (retryable).
   * @example const stream = await workspace.open('logs', { follow: true }); for await (const bytes of stream.incoming) show(bytes)
   */
  open(kind: WorkspaceKind, request?: unknown): Promise<WorkspaceStream>
  /** Opens a stream, and again whenever its connection ends before it does. Resolves at its end, or when `signal` aborts. @throws AppError */
  follow(options: FollowOptions): Promise<void>
  /** The browsers and programs that have a key for this order. */
  keys(): Promise<readonly RegisteredKey[]>
  /** Takes a key away; its sessions end at once. */
  revoke(key: string): Promise<readonly RegisteredKey[]>
  /** Ends every stream. */
  close(): void
}

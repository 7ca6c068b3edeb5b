/** One stream of a session, with back-pressure in both directions. */
export interface Stream {
  /** What the other side sends, until it ends its half; throws a StreamError where the stream ends badly. For one reader. */
  readonly incoming: AsyncIterable<Uint8Array>
  /** Resolves when the bytes have left; waits while the reader has not read what it was sent. One call at a time keeps memory flat. */
  write(bytes: Uint8Array): Promise<void>
  /** Ends this half, after what was written. */
  end(): void
  /** Ends both halves at once; the other side is told the code. */
  cancel(code?: string, message?: string): void
  /** Aborted when the stream ends for any reason; the reason is its StreamError, or none after a clean end. */
  readonly signal: AbortSignal
  /** Resolves when both halves have ended well, rejects with a StreamError otherwise. */
  readonly closed: Promise<void>
}

/** One stream of a session, with back-pressure in both directions. */
export interface Stream {
  /** What the other side sends, until it ends its half; throws a StreamError if the stream fails. Single reader. */
  readonly incoming: AsyncIterable<Uint8Array>
  /** Resolves when the bytes have been sent; waits for credit from the reader. Await each call to keep memory bounded. */
  write(bytes: Uint8Array): Promise<void>
  /** Ends this half, after everything written. */
  end(): void
  /** Ends both halves at once; the code is sent to the other side. */
  cancel(code?: string, message?: string): void
  /** Aborted when the stream ends for any reason; the reason is its StreamError, or none after a clean end. */
  readonly signal: AbortSignal
  /** Resolves when both halves have ended cleanly, rejects with a StreamError otherwise. */
  readonly closed: Promise<void>
}

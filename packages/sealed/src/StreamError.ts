/** Why a stream or a whole session failed. `code` is one of those below, or the one that the other side sent. */
export class StreamError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'StreamError'
    this.code = code
  }
}

/** The data was modified, dropped, repeated, reordered or violated the protocol: none of it was used. */
export const BROKEN = 'stream_broken'
/** The transport ended before the session did. A retry over a new one may succeed. */
export const INTERRUPTED = 'stream_interrupted'
/** This side cancelled the stream. */
export const CANCELLED = 'cancelled'

export const broken = (message: string): StreamError => new StreamError(BROKEN, message)

/** How a stream or a whole session ended badly. `code` is one of the two below, or the one that the other side named. */
export class StreamError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'StreamError'
    this.code = code
  }
}

/** What came was changed, dropped, repeated, reordered or against the protocol: nothing of it was used. */
export const BROKEN = 'stream_broken'
/** The transport ended before the session did. The same may succeed over a new one. */
export const INTERRUPTED = 'stream_interrupted'
/** This side has ended the stream. */
export const CANCELLED = 'cancelled'

export const broken = (message: string): StreamError => new StreamError(BROKEN, message)

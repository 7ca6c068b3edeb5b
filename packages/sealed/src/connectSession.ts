import type { Bytes } from './bytes.ts'
import { createMultiplexer } from './createMultiplexer.ts'
import { MAX_RECORD_BYTES, WINDOW_BYTES } from './frames.ts'
import type { SessionKeys } from './handshake.ts'
import type { MuxStream } from './MuxStream.ts'
import { broken, INTERRUPTED, StreamError } from './StreamError.ts'
import { withResolvers } from './withResolvers.ts'

export { MAX_FRAME_BYTES, MAX_RECORD_BYTES, WINDOW_BYTES } from './frames.ts'
export type { MuxStream } from './MuxStream.ts'

/** Carries the records of a session, unmodified and in order. */
export interface Transport {
  /** Resolves when the next record may be sent. */
  send(record: Bytes): Promise<void>
  /** Called when the session has ended. */
  close(error: StreamError): void
}

export interface SessionOptions {
  transport: Transport
  keys: SessionKeys
  /** Called with a stream that the other side opened, and its request. Without it, only this side opens streams. */
  onOpen?: (stream: MuxStream, request: Bytes) => void
  maxStreams: number
}

export interface Session {
  /** Resolves with the first message from the other side, rejects if the session ends first. */
  readonly ready: Promise<void>
  open(request: Uint8Array): MuxStream
  /** Handles one record from the transport. */
  receive(record: Uint8Array): void
  /** To be called when the transport has ended. */
  interrupted(message: string): void
  /** Makes the other side answer, so that a dead transport is detected. */
  ping(): void
  /** Ends every stream; the reason is sent to the other side. */
  end(error: StreamError): Promise<void>
}

/** Time limit for sending the reason why a session ends, in case the other side has stopped reading. */
const LAST_WORD_MS = 2_000

/** Starts the streams of a session once both sides have its keys. */
export function connectSession({ transport, keys, onOpen, maxStreams }: SessionOptions): Session {
  /** Limit of records waiting to be opened: the credit of all streams, and as much again for frames that need none. */
  const maxWaiting = maxStreams * WINDOW_BYTES * 2
  let waiting = 0
  let opening: Promise<void> = Promise.resolve()
  /** Records are sealed in parallel, but sent in the order of their nonces, which is that of the calls. */
  let sending: Promise<void> = Promise.resolve()
  const ready = withResolvers<void>()
  ready.promise.catch(() => undefined)
  let over = false
  let ending = false
  const send = (frame: Bytes) => {
    const sealed = keys.seal(frame)
    sealed.catch(() => undefined)
    const sent = sending.then(async () => transport.send(await sealed))
    sending = sent.catch(() => undefined)
    return sent
  }
  const multiplexer = createMultiplexer({
    send,
    onOpen,
    maxStreams,
    onClosed(error) {
      over = true
      ready.reject(error)
      if (!ending) transport.close(error)
    },
  })

  const take = async (opened: Promise<Bytes>, length: number) => {
    try {
      const frame = await opened
      if (over) return
      multiplexer.receive(frame)
      ready.resolve()
    } catch (error) {
      multiplexer.close(error as StreamError)
    } finally {
      waiting -= length
    }
  }

  return {
    ready: ready.promise,
    open: (request) => multiplexer.open(request),
    receive(record) {
      if (over) return
      waiting += record.length
      if (record.length > MAX_RECORD_BYTES || waiting > maxWaiting)
        return multiplexer.close(broken('more than a session may send'))
      const opened = keys.open(record)
      opened.catch(() => undefined)
      opening = opening.then(() => take(opened, record.length))
    },
    interrupted: (message) => {
      opening = opening.then(() => multiplexer.close(new StreamError(INTERRUPTED, message)))
    },
    ping: () => multiplexer.ping(),
    async end(error) {
      if (over) return
      ending = true
      let timer: ReturnType<typeof setTimeout> | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, LAST_WORD_MS)
      })
      await Promise.race([multiplexer.end(error), late])
      clearTimeout(timer)
      transport.close(error)
    },
  }
}

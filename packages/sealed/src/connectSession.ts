import type { Bytes } from './bytes.ts'
import { createMultiplexer } from './createMultiplexer.ts'
import { MAX_RECORD_BYTES, WINDOW_BYTES } from './frames.ts'
import type { SessionKeys } from './handshake.ts'
import type { MuxStream } from './MuxStream.ts'
import { broken, INTERRUPTED, StreamError } from './StreamError.ts'
import { withResolvers } from './withResolvers.ts'

export { MAX_FRAME_BYTES, MAX_RECORD_BYTES, WINDOW_BYTES } from './frames.ts'
export type { MuxStream } from './MuxStream.ts'

/** What carries the records of a session, as they are and in their order. */
export interface Transport {
  /** Resolves when the next record may follow. */
  send(record: Bytes): Promise<void>
  /** The session has ended. */
  close(error: StreamError): void
}

export interface SessionOptions {
  transport: Transport
  keys: SessionKeys
  /** A stream that the other side opened, with its request. Without it, this side opens them. */
  onOpen?: (stream: MuxStream, request: Bytes) => void
  maxStreams: number
}

export interface Session {
  /** Resolves with the first that the other side says, rejects where the session ends before. */
  readonly ready: Promise<void>
  open(request: Uint8Array): MuxStream
  /** Takes one record of the transport. */
  receive(record: Uint8Array): void
  /** The transport has ended. */
  interrupted(message: string): void
  /** Has the other side answer, so that a dead transport is noticed. */
  ping(): void
  /** Ends every stream; the other side is told why. */
  end(error: StreamError): Promise<void>
}

/** For the frame that says why a session ends, where the other side has stopped reading. */
const LAST_WORD_MS = 2_000

/** Starts the streams of a session whose keys both sides have. */
export function connectSession({ transport, keys, onOpen, maxStreams }: SessionOptions): Session {
  /** Records that wait to be opened: what the credit of all streams allows, and as much again for what needs none. */
  const maxWaiting = maxStreams * WINDOW_BYTES * 2
  let waiting = 0
  let opening: Promise<void> = Promise.resolve()
  /** Side by side they are sealed; they leave in the order of their nonces, which is that of the calls. */
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

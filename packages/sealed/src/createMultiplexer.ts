import type { Bytes } from './bytes.ts'
import { decodeError, decodeFrame, encodeError, encodeFrame, FRAME, type Frame, MAX_FRAME_BYTES } from './frames.ts'
import { type Carrier, MuxStream } from './MuxStream.ts'
import { broken, StreamError } from './StreamError.ts'

/** Limit of queued frames that need no credit. A peer that makes us answer without reading the answers is disconnected. */
const MAX_CONTROL = 1024
/** Frames sealed in parallel: each needs a thread-pool round trip, which would dominate if they were sealed one by one. */
const FRAMES_AHEAD = 4

export interface MultiplexerOptions {
  /** Sends one frame, after those of earlier calls; resolves when it has been sent. */
  send(frame: Bytes): Promise<void>
  /** Called with a stream that the other side opened. Without it, only this side opens streams. */
  onOpen?: ((stream: MuxStream, request: Bytes) => void) | undefined
  /** Called once, when the session has ended. */
  onClosed(error: StreamError): void
  /** Maximum number of open streams. */
  maxStreams: number
}
export type Multiplexer = ReturnType<typeof createMultiplexer>

/**
 * Multiplexes streams over one sequence of frames. Each stream has its own credit, so an unread one blocks its source but not its
 * neighbours; streams with something to send take turns.
 */
export function createMultiplexer(options: MultiplexerOptions) {
  const streams = new Map<number, MuxStream>()
  const control: Bytes[] = []
  /** Streams that may have something to send, in turn. */
  const turns = new Set<MuxStream>()
  let newest = 0
  let pumping = false
  let closed: StreamError | undefined

  const close = (error: StreamError) => {
    if (closed) return
    closed = error
    for (const stream of [...streams.values()]) stream.fail(error)
    options.onClosed(error)
  }

  const next = () => {
    const frame = control.shift()
    if (frame) return { frame, sent: () => undefined }
    for (const stream of turns) {
      turns.delete(stream)
      const taken = stream.takeFrame()
      if (!taken) continue
      turns.add(stream)
      return taken
    }
    return undefined
  }

  const pump = async () => {
    if (pumping) return
    pumping = true
    const leaving: Promise<void>[] = []
    try {
      for (;;) {
        const taken = leaving.length < FRAMES_AHEAD && !closed ? next() : undefined
        if (taken) {
          const left = options.send(taken.frame).then(taken.sent)
          left.catch(() => undefined)
          leaving.push(left)
        } else if (leaving.length > 0) await leaving.shift()
        else break
      }
    } catch (error) {
      close(error instanceof StreamError ? error : new StreamError('stream_interrupted', String(error)))
    } finally {
      pumping = false
    }
  }

  const addControl = (frame: Bytes) => {
    if (control.length < MAX_CONTROL) control.push(frame)
    else close(broken('the other side does not read its answers'))
    void pump()
  }

  const carrier: Carrier = {
    wake(stream) {
      turns.add(stream)
      void pump()
    },
    control: addControl,
    remove(stream) {
      streams.delete(stream.id)
      turns.delete(stream)
    },
  }

  const accept = (id: number, request: Bytes) => {
    if (!options.onOpen || id <= newest) throw broken('a stream was opened twice, or by the wrong side')
    newest = id
    const stream = new MuxStream(id, false, carrier)
    streams.set(id, stream)
    if (streams.size > options.maxStreams)
      return stream.cancel('too_many_streams', `at most ${options.maxStreams} streams at once`)
    options.onOpen(stream, request)
  }

  const receiveFrame = (frame: Frame) => {
    if (frame.id > newest) throw broken('a frame of a stream that was never opened')
    // Without a stream, the frame was in flight when the stream ended.
    const stream = streams.get(frame.id)
    if (frame.type === FRAME.reset) stream?.fail(decodeError(frame.body))
    else stream?.receive(frame)
  }

  return {
    /** Opens a stream with a request of at most 16 KiB. */
    open(request: Uint8Array): MuxStream {
      if (closed) throw closed
      if (request.length > MAX_FRAME_BYTES) throw new StreamError('bad_request', 'the request is too long')
      if (streams.size >= options.maxStreams)
        throw new StreamError('too_many_streams', `at most ${options.maxStreams} streams at once`)
      newest += 1
      const stream = new MuxStream(newest, true, carrier)
      streams.set(stream.id, stream)
      addControl(encodeFrame(FRAME.open, stream.id, request))
      return stream
    },

    /** Handles one frame from the other side. */
    receive(bytes: Bytes): void {
      if (closed) return
      try {
        const frame = decodeFrame(bytes)
        if (frame.type === FRAME.ping) addControl(encodeFrame(FRAME.pong, 0))
        else if (frame.type === FRAME.close) close(decodeError(frame.body))
        else if (frame.type === FRAME.open) accept(frame.id, frame.body)
        else if (frame.type !== FRAME.pong) receiveFrame(frame)
      } catch (error) {
        close(error as StreamError)
      }
    },

    ping: () => addControl(encodeFrame(FRAME.ping, 0)),

    /** Sends the reason to the other side and ends everything. Resolves when it has been sent. */
    async end(error: StreamError): Promise<void> {
      if (closed) return
      const told = encodeFrame(FRAME.close, 0, encodeError(error))
      control.length = 0
      close(error)
      await options.send(told).catch(() => undefined)
    },

    close,
  }
}

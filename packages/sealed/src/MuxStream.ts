import { ByteQueue } from './ByteQueue.ts'
import type { Bytes } from './bytes.ts'
import { encodeCredit, encodeError, encodeFrame, FRAME, type Frame, MAX_FRAME_BYTES, readCredit, WINDOW_BYTES } from './frames.ts'
import type { Stream } from './Stream.ts'
import { broken, CANCELLED, StreamError } from './StreamError.ts'
import { withResolvers } from './withResolvers.ts'

/** Credit is returned in batches, so that small reads do not each cost a message. */
const CREDIT_STEP = WINDOW_BYTES / 4

interface Write {
  bytes: Uint8Array
  done: () => void
  fail: (error: StreamError) => void
}

/** What a stream needs of its session. */
export interface Carrier {
  /** Signals that this stream may have something to send. */
  wake(stream: MuxStream): void
  /** Sends a frame that needs no credit. */
  control(frame: Bytes): void
  remove(stream: MuxStream): void
}

/** A stream's own state: what waits to be sent, what waits to be read, and how much more either side may send. */
export class MuxStream implements Stream {
  readonly id: number
  readonly signal: AbortSignal
  readonly closed: Promise<void>
  private readonly carrier: Carrier
  /** The side that opened a stream ends its half automatically when the other side has ended. */
  private readonly isOpener: boolean
  private readonly controller = new AbortController()
  private readonly settle = withResolvers<void>()
  private readonly writes: Write[] = []
  private readonly unread = new ByteQueue()
  /** Writes whose last bytes are being sent. */
  private readonly leaving = new Set<Write>()
  private credit = WINDOW_BYTES
  private mayReceive = WINDOW_BYTES
  private unacknowledged = 0
  private local: 'open' | 'ending' | 'ended' = 'open'
  private remoteEnded = false
  private discards = false
  private isOver = false
  private error: StreamError | undefined
  private arrived: (() => void) | undefined

  constructor(id: number, isOpener: boolean, carrier: Carrier) {
    this.id = id
    this.isOpener = isOpener
    this.carrier = carrier
    this.signal = this.controller.signal
    this.closed = this.settle.promise
    this.closed.catch(() => undefined)
  }

  get incoming(): AsyncIterable<Uint8Array> {
    return { [Symbol.asyncIterator]: () => ({ next: () => this.read() }) }
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.error) return Promise.reject(this.error)
    if (this.local !== 'open') return Promise.reject(new StreamError(CANCELLED, 'this half of the stream has ended'))
    if (bytes.length === 0) return Promise.resolve()
    return new Promise((done, fail) => {
      this.writes.push({ bytes, done, fail })
      this.carrier.wake(this)
    })
  }

  end(): void {
    if (this.local !== 'open') return
    this.local = 'ending'
    this.carrier.wake(this)
  }

  /** Ends this half and stops reading: further data is dropped. */
  finish(): void {
    this.discards = true
    this.dropUnread()
    this.end()
  }

  cancel(code: string = CANCELLED, message = 'the stream was closed'): void {
    if (this.isOver) return
    const error = new StreamError(code, message)
    this.carrier.control(encodeFrame(FRAME.reset, this.id, encodeError(error)))
    this.fail(error)
  }

  /** The next frame to send; undefined if there is none, or no credit for it. */
  takeFrame(): { frame: Bytes; sent: () => void } | undefined {
    const [write] = this.writes
    if (write) {
      const size = Math.min(this.credit, write.bytes.length, MAX_FRAME_BYTES)
      if (size === 0) return undefined
      const frame = encodeFrame(FRAME.data, this.id, write.bytes.subarray(0, size))
      this.credit -= size
      write.bytes = write.bytes.subarray(size)
      if (write.bytes.length > 0) return { frame, sent: () => undefined }
      this.writes.shift()
      this.leaving.add(write)
      return { frame, sent: () => this.hasLeft(write) }
    }
    if (this.local !== 'ending') return undefined
    this.local = 'ended'
    return { frame: encodeFrame(FRAME.fin, this.id), sent: () => this.closeIfDone() }
  }

  /** Handles a frame from the other side. @throws StreamError if it violates the protocol, which ends the session. */
  receive(frame: Frame): void {
    if (frame.type === FRAME.credit) this.addCredit(readCredit(frame))
    else if (frame.type === FRAME.data) this.addData(frame.body)
    else this.endRemote()
  }

  /** Ends everything at once. */
  fail(error: StreamError): void {
    if (this.isOver) return
    this.error = error
    this.unread.clear()
    for (const write of [...this.leaving, ...this.writes.splice(0)]) write.fail(error)
    this.leaving.clear()
    this.over()
    this.settle.reject(error)
  }

  private hasLeft(write: Write): void {
    this.leaving.delete(write)
    write.done()
  }

  private addCredit(count: number): void {
    this.credit += count
    if (this.credit > WINDOW_BYTES) throw broken('more credit than a stream has')
    this.carrier.wake(this)
  }

  private addData(body: Uint8Array): void {
    if (this.remoteEnded) throw broken('data after the end of a stream')
    this.mayReceive -= body.length
    if (this.mayReceive < 0) throw broken('more data than there was credit for')
    if (this.discards) this.acknowledge(body.length)
    else if (body.length > 0) this.unread.push(body)
    this.announce()
  }

  private endRemote(): void {
    if (this.remoteEnded) throw broken('a stream ended twice')
    this.remoteEnded = true
    if (this.isOpener) {
      const error = new StreamError(CANCELLED, 'the other side has ended the stream')
      for (const write of this.writes.splice(0)) write.fail(error)
      this.end()
    }
    this.announce()
    this.closeIfDone()
  }

  private async read(): Promise<IteratorResult<Uint8Array>> {
    for (;;) {
      if (this.error) throw this.error
      const chunk = this.unread.shift()
      if (chunk) {
        this.acknowledge(chunk.length)
        return { done: false, value: chunk }
      }
      if (this.remoteEnded || this.discards || this.isOver) return { done: true, value: undefined }
      await new Promise<void>((resolve) => {
        this.arrived = resolve
      })
    }
  }

  private acknowledge(count: number): void {
    this.unacknowledged += count
    if (this.unacknowledged < CREDIT_STEP || this.isOver || this.remoteEnded) return
    this.mayReceive += this.unacknowledged
    this.carrier.control(encodeCredit(this.id, this.unacknowledged))
    this.unacknowledged = 0
  }

  private dropUnread(): void {
    this.acknowledge(this.unread.clear())
    this.announce()
  }

  private closeIfDone(): void {
    if (this.isOver || this.local !== 'ended' || !this.remoteEnded) return
    this.over()
    this.settle.resolve()
  }

  private over(): void {
    this.isOver = true
    this.carrier.remove(this)
    this.announce()
    this.controller.abort(this.error)
  }

  private announce(): void {
    this.arrived?.()
    this.arrived = undefined
  }
}

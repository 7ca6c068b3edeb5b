import type { ChangeFeed, FeedChange, FeedListener, StoredEvent } from '../feed/ChangeFeed.ts'
import { Backlog } from '../limits/Backlog.ts'
import type { Metrics } from './Metrics.ts'

/** What may wait for the reader of one stream, and for all readers. */
const MAX_WAITING_BYTES = { each: 1_000_000, all: 64_000_000 }
const PULSE_MS = 15_000
const RETRY_MS = 1_000

/** What the reader of a stream asked for. */
export interface Wanted {
  isWanted: (change: FeedChange) => boolean
  blocks: boolean
  lastId: string | undefined
}

export interface StreamEnds {
  /** Called once when the stream has ended, by whomever. */
  onEnd: () => void
  /** Cuts the reader's connection: without it, what waits is freed. */
  cut: () => void
}

interface Shared {
  feed: ChangeFeed
  /** One copy of each change for all of its readers. */
  copyOf: (change: FeedChange) => Uint8Array
  note: (drop: () => void, bytes: number) => void
  forget: (stream: EventStream) => void
}

const encoder = new TextEncoder()
const encoded = (event: StoredEvent, id: number) =>
  encoder.encode(`id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)

/** The open event streams of this process, which share what may wait for their readers. */
export class EventStreams {
  private readonly open = new Set<EventStream>()
  private readonly backlog = new Backlog(MAX_WAITING_BYTES)
  private readonly copies = new WeakMap<FeedChange, Uint8Array>()
  private readonly metrics: Metrics
  private readonly shared: Shared

  constructor({ feed, metrics }: { feed: ChangeFeed; metrics: Metrics }) {
    this.metrics = metrics
    this.shared = {
      feed,
      copyOf: (change) => {
        const copy = this.copies.get(change) ?? encoded(change.event, change.seq)
        this.copies.set(change, copy)
        return copy
      },
      note: (drop, bytes) => {
        this.backlog.note(drop, bytes)
        this.metrics.streamsUnread.set(this.backlog.bytes)
      },
      forget: (stream) => {
        this.open.delete(stream)
        this.backlog.forget(stream.drop)
        this.count()
      },
    }
  }

  /** The body of an answer. */
  body(wanted: Wanted, ends: StreamEnds): ReadableStream<Uint8Array> {
    const stream = new EventStream(this.shared, wanted, ends)
    this.open.add(stream)
    this.count()
    // Without a strategy of its own a stream counts pieces, not bytes.
    return new ReadableStream(stream, new ByteLengthQueuingStrategy({ highWaterMark: 0 }))
  }

  /** Asks every reader to come back. */
  closeAll(): void {
    for (const stream of [...this.open]) stream.close()
  }

  private count(): void {
    this.metrics.streams.set(this.open.size)
    this.metrics.streamsUnread.set(this.backlog.bytes)
  }
}

class EventStream {
  /** A reader who comes too late for what waits comes back, and resumes or reads anew. */
  readonly drop = () => {
    if (this.leave()) this.ends.cut()
  }
  private readonly shared: Shared
  private readonly wanted: Wanted
  private readonly ends: StreamEnds
  private controller: ReadableStreamDefaultController<Uint8Array> | undefined
  private sent: number
  private block: number
  /** Changes that arrive before those missed have been sent. */
  private early: Parameters<FeedListener>[] | undefined
  private stopListening: () => void = () => undefined
  private pulse: NodeJS.Timeout | undefined
  private left = false

  constructor(shared: Shared, wanted: Wanted, ends: StreamEnds) {
    this.shared = shared
    this.wanted = wanted
    this.ends = ends
    this.sent = shared.feed.position.seq
    this.block = shared.feed.position.block
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const { lastId } = this.wanted
    this.controller = controller
    this.stopListening = this.shared.feed.listen((...news) => this.deliver(...news))
    this.pulse = setInterval(() => this.writeText(': pulse\n\n'), PULSE_MS)
    this.writeText(`retry: ${RETRY_MS}\n\n`)
    if (lastId === undefined) this.writeText(`id: ${this.sent}\n: from here\n\n`)
    else void this.resume(/^\d{1,15}$/.test(lastId) ? Number(lastId) : -1)
  }

  pull(): void {
    this.shared.note(this.drop, 0)
  }

  cancel(): void {
    this.leave()
  }

  close(): void {
    this.writeText(`retry: ${RETRY_MS}\n\n`)
    if (this.leave()) this.controller?.close()
  }

  private async resume(from: number): Promise<void> {
    const { feed, copyOf } = this.shared
    const waited: Parameters<FeedListener>[] = []
    this.early = waited
    const missed = await feed.since(from).catch(() => undefined)
    if (!missed) this.write(encoded({ type: 'reset', block: Math.max(0, feed.position.block) }, this.sent))
    else for (const change of missed) if (this.wanted.isWanted(change)) this.write(copyOf(change))
    this.sent = missed?.at(-1)?.seq ?? this.sent
    this.early = undefined
    for (const news of waited) this.deliver(...news)
  }

  private deliver(...[changes, position]: Parameters<FeedListener>): void {
    if (this.early) return void this.early.push([changes, position])
    for (const change of changes) {
      if (change.seq <= this.sent) continue
      this.sent = change.seq
      if (this.wanted.isWanted(change)) this.write(this.shared.copyOf(change))
    }
    if (position.block === this.block || !this.wanted.blocks) return
    this.block = position.block
    this.write(encoded({ type: 'block', block: Math.max(0, this.block), blockTime: position.blockTime }, this.sent))
  }

  private writeText(text: string): void {
    this.write(encoder.encode(text))
  }

  private write(bytes: Uint8Array): void {
    try {
      this.controller?.enqueue(bytes)
      this.shared.note(this.drop, -(this.controller?.desiredSize ?? 0))
    } catch {
      this.leave()
    }
  }

  /** False if it had left before. */
  private leave(): boolean {
    if (this.left) return false
    this.left = true
    clearInterval(this.pulse)
    this.stopListening()
    this.shared.forget(this)
    this.ends.onEnd()
    return true
  }
}

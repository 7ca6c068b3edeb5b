import { setImmediate } from 'node:timers/promises'
import { TokenBucket } from '../limits/TokenBucket.ts'

/** After a restart an agent reports up to 1,000 orders at once; in the long run it sends little. */
const MESSAGES = { burst: 3_000, perSecond: 10 }
const BYTES = { burst: 6_000_000, perSecond: 40_000 }
const MAX_WAITING = 32
const MAX_WAITING_BYTES = 256 * 1024

export interface InboxParts {
  /** Stops reading from the socket, so that TCP slows the sender down. */
  pause: () => void
  resume: () => void
  handle: (data: Buffer) => Promise<unknown>
  onError: (error: unknown) => void
  /** Called when the sender has used up its allowance. Nothing more of it is handled. */
  onExcess: (message: string) => void
}

/** What a sender may still send, over all of its connections. */
export interface Allowance {
  messages: TokenBucket
  bytes: TokenBucket
}

export const newAllowance = (): Allowance => ({ messages: new TokenBucket(MESSAGES), bytes: new TokenBucket(BYTES) })

/** Handles the messages of one connection in order. Yields to other work in between; a full queue pauses the socket. */
export class Inbox {
  private readonly parts: InboxParts
  private allowance = newAllowance()
  private readonly waiting: Buffer[] = []
  private waitingBytes = 0
  private running = false
  private paused = false
  private closed = false

  constructor(parts: InboxParts) {
    this.parts = parts
  }

  /** From now on it counts as `allowance` says: the sender is known. */
  countIn(allowance: Allowance): void {
    this.allowance = allowance
  }

  push(data: Buffer): void {
    if (this.closed) return
    const excess = this.excess(data)
    if (excess !== undefined) {
      this.close()
      this.parts.onExcess(excess)
      return
    }
    this.waiting.push(data)
    this.waitingBytes += data.length
    if (!this.paused && this.isFull(1)) {
      this.paused = true
      this.parts.pause()
    }
    if (!this.running) void this.drain()
  }

  close(): void {
    this.closed = true
    this.waiting.length = 0
    this.waitingBytes = 0
  }

  private async drain(): Promise<void> {
    this.running = true
    for (let data = this.waiting.shift(); data; data = this.waiting.shift()) {
      this.waitingBytes -= data.length
      await this.parts.handle(data).catch(this.parts.onError)
      if (this.paused && !this.isFull(0.5)) {
        this.paused = false
        this.parts.resume()
      }
      // SQLite answers synchronously: without this, a long queue would block every request.
      await setImmediate()
    }
    this.running = false
  }

  private isFull(share: number): boolean {
    return this.waiting.length >= MAX_WAITING * share || this.waitingBytes >= MAX_WAITING_BYTES * share
  }

  private excess(data: Buffer): string | undefined {
    if (!this.allowance.messages.take(1)) return `more than ${MESSAGES.perSecond} messages a second`
    return this.allowance.bytes.take(data.length) ? undefined : `more than ${BYTES.perSecond} bytes a second`
  }
}

/** The long-run rate allowed to the sender of a socket; anything beyond it is read later, not lost. */
export interface Rate {
  bytesPerSecond: number
  messagesPerSecond: number
}

/** Burst size, in seconds of the rate. */
const BURST_SECONDS = 1

interface Pausable {
  pause(): void
  resume(): void
}

/** Stops reading from a socket while its sender exceeds its rate, so that TCP slows it down. */
export class Pace {
  private readonly socket: Pausable
  private readonly rate: Rate
  private timer: NodeJS.Timeout | undefined
  /** Seconds of the rate used up. */
  private used = 0
  private at = performance.now()

  constructor(socket: Pausable, rate: Rate) {
    this.socket = socket
    this.rate = rate
  }

  take(bytes: number): void {
    const now = performance.now()
    this.used = Math.max(0, this.used - (now - this.at) / 1000)
    this.at = now
    this.used += Math.max(bytes / this.rate.bytesPerSecond, 1 / this.rate.messagesPerSecond)
    if (this.used <= BURST_SECONDS || this.timer) return
    this.socket.pause()
    this.timer = setTimeout(
      () => {
        this.timer = undefined
        this.socket.resume()
      },
      (this.used - BURST_SECONDS) * 1000,
    )
  }

  close(): void {
    clearTimeout(this.timer)
  }
}

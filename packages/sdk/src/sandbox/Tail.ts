const FIRST_BYTES = 4096

/** Keeps the end of a stream of bytes, at most `maxBytes` of it, however small its pieces are. */
export class Tail {
  /** Grows to twice of what is kept, so that making room is rare. */
  private buffer = new Uint8Array(FIRST_BYTES)
  private length = 0
  private total = 0
  private readonly maxBytes: number

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  add(piece: Uint8Array): void {
    this.total += piece.length
    const kept = piece.subarray(Math.max(0, piece.length - this.maxBytes))
    this.makeRoom(kept.length)
    this.buffer.set(kept, this.length)
    this.length += kept.length
  }

  /** Bytes that came before what is kept. */
  get droppedBytes(): number {
    return this.total - (this.length - this.start())
  }

  text(): string {
    return new TextDecoder().decode(this.buffer.subarray(this.start(), this.length))
  }

  /** Behind what is left of a character whose first bytes were dropped. */
  private start(): number {
    const from = Math.max(0, this.length - this.maxBytes)
    const isRest = (at: number) => at < this.length && ((this.buffer[at] ?? 0) & 0b1100_0000) === 0b1000_0000
    let rest = 0
    if (this.total > this.maxBytes) while (rest < 3 && isRest(from + rest)) rest += 1
    return from + rest
  }

  private makeRoom(bytes: number): void {
    const need = this.length + bytes
    if (need <= this.buffer.length) return
    if (need <= 2 * this.maxBytes) {
      const larger = new Uint8Array(Math.min(2 * this.maxBytes, Math.max(need, 2 * this.buffer.length)))
      larger.set(this.buffer.subarray(0, this.length))
      this.buffer = larger
      return
    }
    const from = Math.max(0, this.length - this.maxBytes)
    if (this.buffer.length < 2 * this.maxBytes) {
      const larger = new Uint8Array(2 * this.maxBytes)
      larger.set(this.buffer.subarray(from, this.length))
      this.buffer = larger
    } else this.buffer.copyWithin(0, from, this.length)
    this.length -= from
  }
}

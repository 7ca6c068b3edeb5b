/** As many pieces as a reader that keeps up ever leaves waiting. */
const MAX_SEPARATE = 64
const SMALL_BYTES = 1024
const JOINED_BYTES = 4 * SMALL_BYTES
const NO_ROOM = new Uint8Array()

/**
 * Bytes in the order in which they arrived. Whoever sends them one by one makes us keep few pieces none the less: once many wait, small
 * ones are joined.
 */
export class ByteQueue {
  private readonly pieces: Uint8Array[] = []
  /** What is free behind the last piece. */
  private room: Uint8Array = NO_ROOM

  push(bytes: Uint8Array): void {
    const last = this.pieces.at(-1)
    if (last && bytes.length <= this.room.length) {
      this.room.set(bytes)
      this.pieces[this.pieces.length - 1] = new Uint8Array(last.buffer, last.byteOffset, last.length + bytes.length)
      this.room = this.room.subarray(bytes.length)
    } else if (bytes.length >= SMALL_BYTES || this.pieces.length < MAX_SEPARATE) {
      this.pieces.push(bytes)
      this.room = NO_ROOM
    } else {
      const joined = new Uint8Array(JOINED_BYTES)
      joined.set(bytes)
      this.pieces.push(joined.subarray(0, bytes.length))
      this.room = joined.subarray(bytes.length)
    }
  }

  shift(): Uint8Array | undefined {
    if (this.pieces.length === 1) this.room = NO_ROOM
    return this.pieces.shift()
  }

  /** Removes everything; returns how many bytes that was. */
  clear(): number {
    this.room = NO_ROOM
    return this.pieces.splice(0).reduce((sum, { length }) => sum + length, 0)
  }
}

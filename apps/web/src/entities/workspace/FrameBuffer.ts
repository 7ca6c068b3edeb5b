import { type Frame, MAX_FRAME_BYTES } from '@rackfair/protocol/frames'

const HEADER_BYTES = 5

/** Puts the frames of a stream together that is handed on piece by piece. `clear` before another stream. */
export class FrameBuffer {
  private held = new Uint8Array(0)

  clear(): void {
    this.held = new Uint8Array(0)
  }

  /** The frames that are whole with these bytes. Throws where one is larger than frames may be. */
  push(bytes: Uint8Array): Frame[] {
    const joined = new Uint8Array(this.held.length + bytes.length)
    joined.set(this.held)
    joined.set(bytes, this.held.length)
    const view = new DataView(joined.buffer)
    const frames: Frame[] = []
    let at = 0
    while (joined.length - at >= HEADER_BYTES) {
      const length = view.getUint32(at)
      if (length > MAX_FRAME_BYTES) throw new RangeError('a frame is larger than frames may be')
      if (joined.length - at < HEADER_BYTES + length) break
      frames.push({ type: joined[at + 4] as number, payload: joined.subarray(at + HEADER_BYTES, at + HEADER_BYTES + length) })
      at += HEADER_BYTES + length
    }
    this.held = joined.slice(at)
    return frames
  }
}

/** What a terminal wrote last, as much as a screen and some pages before it hold. */
const KEPT_BYTES = 256 * 1024

/** The newest bytes of an endless stream. A reader that falls behind resumes at the oldest byte kept. */
export function createScrollback() {
  let chunks: Buffer[] = []
  let first = 0
  let last = 0

  return {
    add(chunk: Buffer): void {
      chunks.push(chunk)
      last += chunk.length
      while (last - first - (chunks[0]?.length ?? 0) >= KEPT_BYTES) first += chunks.shift()?.length ?? 0
      // Many small pieces would take many times their bytes.
      if (chunks.length <= 1024) return
      chunks = [Buffer.from(Buffer.concat(chunks).subarray(-KEPT_BYTES))]
      first = last - (chunks[0]?.length ?? 0)
    },
    start: () => first,
    end: () => last,
    /** At most `limit` bytes from `at` on, and where the next read begins. */
    read(at: number, limit: number): { chunk: Buffer; next: number } {
      let from = Math.max(at, first)
      let begin = first
      const parts: Buffer[] = []
      const until = Math.min(last, from + limit)
      for (const chunk of chunks) {
        const end = begin + chunk.length
        if (end > from && begin < until) parts.push(chunk.subarray(Math.max(0, from - begin), until - begin))
        begin = end
      }
      from = until
      return { chunk: Buffer.concat(parts), next: from }
    },
  }
}

import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)
const SMALLEST_COMPRESSED = 1_024
/** Up to this size, compressing well enough takes less time than passing the work to another thread and waiting for it. */
const LARGEST_AT_ONCE = 256 * 1_024
const QUICK_BROTLI = 2

/** The data that a response is built from. A change to it makes the responses built on it stale. */
export type Topic = 'market' | 'order' | 'presence' | 'deployment' | 'block'

export interface Built {
  /** Bytes are sent as they are; anything else as JSON. */
  value: unknown
  /** Unix seconds from which the response would differ without any change, such as the end of an order. */
  until?: number
  headers?: Record<string, string>
}

export interface Representation {
  body: Buffer
  etag: string
  block: number
  headers: Record<string, string>
  gzip?: Promise<Buffer>
  brotli?: Promise<Buffer>
}

interface Entry {
  stamp: string
  until: number
  representation: Representation
}

/**
 * Finished responses by route and arguments: JSON, hash and compressed forms are built once and served until their data changes. Bounded in
 * bytes, evicting the least recently used; concurrent identical requests share one build.
 */
export class ResponseCache {
  hits = 0
  misses = 0
  private readonly entries = new Map<string, Entry>()
  private readonly building = new Map<string, Promise<Representation>>()
  private readonly versions: Record<Topic, number> = { market: 0, order: 0, presence: 0, deployment: 0, block: 0 }
  private readonly mostBytes: number
  private bytes = 0

  constructor(mostBytes = 64 * 1024 * 1024) {
    this.mostBytes = mostBytes
  }

  touch(topic: Topic): void {
    this.versions[topic] += 1
  }

  async get(
    key: string,
    topics: readonly Topic[],
    minBlock: number,
    block: number,
    build: () => Promise<Built> | Built,
  ): Promise<Representation> {
    const stamp = this.stampOf(topics)
    const entry = this.entries.get(key)
    const fresh = entry && entry.stamp === stamp && entry.until > Date.now() / 1000 && entry.representation.block >= minBlock
    if (fresh) {
      this.hits += 1
      this.entries.delete(key)
      this.entries.set(key, entry)
      return entry.representation
    }
    const flight = `${key}|${stamp}|${minBlock}`
    const known = this.building.get(flight)
    if (known) return known
    this.misses += 1
    const promise = this.build(key, stamp, block, build).finally(() => this.building.delete(flight))
    this.building.set(flight, promise)
    return promise
  }

  /** Returns a predicate that becomes false once this representation is no longer the current response. It does not keep it in memory. */
  watch(key: string, topics: readonly Topic[], item: Representation): () => boolean {
    const current = new WeakRef(item)
    return () => {
      const entry = this.entries.get(key)
      if (!entry || entry.representation !== current.deref()) return false
      return entry.until > Date.now() / 1000 && entry.stamp === this.stampOf(topics)
    }
  }

  private stampOf(topics: readonly Topic[]): string {
    return topics.map((topic) => this.versions[topic]).join('.')
  }

  private async build(key: string, stamp: string, block: number, build: () => Promise<Built> | Built): Promise<Representation> {
    const { value, until = Number.POSITIVE_INFINITY, headers = {} } = await build()
    const body = Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))
    const etag = `"${hash('sha256', body, 'base64url').slice(0, 27)}"`
    const representation: Representation = { body, etag, block, headers }
    this.drop(key)
    this.entries.set(key, { stamp, until, representation })
    this.bytes += weight(representation)
    for (const oldest of this.entries.keys()) {
      if (this.bytes <= this.mostBytes) break
      this.drop(oldest)
    }
    return representation
  }

  private drop(key: string): void {
    const entry = this.entries.get(key)
    if (!entry) return
    this.entries.delete(key)
    this.bytes -= weight(entry.representation)
  }
}

/**
 * The body in the best encoding that the client accepts, built on first use.
 * @param quality of brotli: 2 for responses that are built often (an eighth of the time of 4 for 3 % more bytes), up to 11 for files that
 * do not change.
 */
export async function encoded(
  item: Representation,
  accepts: string,
  quality = QUICK_BROTLI,
): Promise<{ body: Buffer; encoding?: 'br' | 'gzip' }> {
  if (item.body.length < SMALLEST_COMPRESSED) return { body: item.body }
  const atOnce = quality === QUICK_BROTLI && item.body.length <= LARGEST_AT_ONCE
  if (/\bbr\b/.test(accepts)) {
    const options = { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }
    item.brotli ??= atOnce ? Promise.resolve(brotliCompressSync(item.body, options)) : compressBrotli(item.body, options)
    return { body: await item.brotli, encoding: 'br' }
  }
  if (/\bgzip\b/.test(accepts)) {
    item.gzip ??= atOnce ? Promise.resolve(gzipSync(item.body)) : compressGzip(item.body)
    return { body: await item.gzip, encoding: 'gzip' }
  }
  return { body: item.body }
}

/** Compressed forms are estimated in advance at a third of the body each. */
function weight(item: Representation): number {
  return item.body.length + Math.ceil((item.body.length * 2) / 3) + 500
}

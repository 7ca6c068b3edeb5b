import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fromUtf8, utf8 } from './bytes.ts'
import type { MuxStream } from './connectSession.ts'
import { createMultiplexer } from './createMultiplexer.ts'
import { FRAME } from './frames.ts'
import { connectPair } from './testing/connectPair.ts'

const seed = Number(process.env.RACKFAIR_SEED ?? Math.floor(Math.random() * 2 ** 31))

/** Bytes of one direction of a stream, the same for both ends. */
const pattern = (id: number, at: number, length: number): Uint8Array => {
  const start = (id * 31 + at) % 251
  return PATTERN.subarray(start, start + length)
}
const PATTERN = new Uint8Array(500_000).map((_, index) => index % 251)

/** Writes chunks of these sizes, and resolves once all have been sent. */
async function writeAll(stream: MuxStream, id: number, sizes: readonly number[]) {
  let at = 0
  for (const size of sizes) {
    await stream.write(pattern(id, at, size))
    at += size
  }
}

async function expectAll(stream: MuxStream, id: number, sizes: readonly number[], pauses: readonly number[]) {
  let at = 0
  let reads = 0
  for await (const chunk of stream.incoming) {
    expect(Buffer.compare(chunk, pattern(id, at, chunk.length))).toBe(0)
    at += chunk.length
    for (let turn = pauses[reads % pauses.length] ?? 0; turn > 0; turn -= 1) await new Promise(setImmediate)
    reads += 1
  }
  expect(at).toBe(sizes.reduce((sum, size) => sum + size, 0))
}

const sizes = fc.array(fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 16_000, max: 400_000 })), { maxLength: 6 })
const streams = fc.array(fc.record({ up: sizes, down: sizes, pauses: fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }) }), {
  minLength: 1,
  maxLength: 6,
})

it(`delivers any sizes on any streams at any pace whole and in order (seed ${seed})`, async () => {
  const property = fc.asyncProperty(streams, fc.array(fc.nat(4), { minLength: 1, maxLength: 8 }), async (plan, delays) => {
    const work: Promise<unknown>[] = []
    let sent = 0
    const { client, closed } = await connectPair({
      async ready() {
        sent += 1
        for (let turn = delays[sent % delays.length] ?? 0; turn > 0; turn -= 1) await new Promise(setImmediate)
      },
      onOpen(stream, request) {
        const { index } = JSON.parse(fromUtf8(request)) as { index: number }
        const { up, down, pauses } = plan[index] as (typeof plan)[number]
        // As in a handler: when it returns, the stream ends.
        const done = Promise.all([writeAll(stream, index + 100, down), expectAll(stream, index, up, pauses)])
        work.push(done.then(() => stream.end()))
      },
    })
    await Promise.all(
      plan.map(async ({ up, down, pauses }, index) => {
        const stream = client.open(utf8(JSON.stringify({ index })))
        const written = writeAll(stream, index, up).then(() => stream.end())
        await Promise.all([written, expectAll(stream, index + 100, down, pauses), stream.closed])
      }),
    )
    await Promise.all(work)
    expect(closed).toEqual({})
    expect(work).toHaveLength(plan.length)
  })
  await fc.assert(property, { seed, numRuns: 25 })
})

it(`never throws on arbitrary bytes from the peer, which end the session or are ignored (seed ${seed})`, async () => {
  const frame = fc
    .tuple(fc.constantFrom(...Object.values(FRAME), 0, 9, 255), fc.integer({ min: 0, max: 5 }), fc.uint8Array({ maxLength: 40 }))
    .map(([type, id, body]) => {
      const bytes = new Uint8Array(5 + body.length)
      bytes[0] = type
      new DataView(bytes.buffer).setUint32(1, id)
      bytes.set(body, 5)
      return bytes
    })
  const property = fc.asyncProperty(
    fc.array(fc.oneof(frame, fc.uint8Array({ maxLength: 20 })), { maxLength: 60 }),
    async (frames) => {
      const ends: string[] = []
      const multiplexer = createMultiplexer({
        send: () => Promise.resolve(),
        maxStreams: 3,
        onOpen: () => undefined,
        onClosed: (error) => ends.push(error.code),
      })
      for (const one of frames) multiplexer.receive(one as Uint8Array<ArrayBuffer>)
      expect(ends.length).toBeLessThanOrEqual(1)
    },
  )
  await fc.assert(property, { seed, numRuns: 300 })
})

import { expect, it, vi } from 'vitest'
import { fromUtf8, utf8 } from './bytes.ts'
import type { MuxStream } from './connectSession.ts'
import { createMultiplexer } from './createMultiplexer.ts'
import { encodeFrame, FRAME, MAX_FRAME_BYTES, WINDOW_BYTES } from './frames.ts'
import { StreamError } from './StreamError.ts'
import { connectPair, readAll } from './testing/connectPair.ts'

const echo = async (stream: MuxStream) => {
  for await (const chunk of stream.incoming) await stream.write(chunk)
  stream.end()
}
const quietly = (work: Promise<unknown>) => void work.catch(() => undefined)

it('carries its request and bytes both ways, and ends when both halves have ended', async () => {
  const requests: string[] = []
  const { client } = await connectPair({
    onOpen(stream, request) {
      requests.push(fromUtf8(request))
      void echo(stream)
    },
  })
  const stream = client.open(utf8('{"kind":"logs"}'))
  await stream.write(utf8('hello '))
  await stream.write(utf8('world'))
  stream.end()
  expect(fromUtf8(await readAll(stream.incoming))).toBe('hello world')
  await stream.closed
  expect(requests).toEqual(['{"kind":"logs"}'])
  expect(stream.signal.aborted).toBe(true)
  await expect(stream.write(utf8('late'))).rejects.toMatchObject({ code: 'cancelled' })
})

it('stops an unread stream at exactly its credit, without blocking others', async () => {
  const written = { silent: 0 }
  const { client, carried } = await connectPair({
    onOpen(stream, request) {
      if (fromUtf8(request) === 'echo') return void echo(stream)
      quietly(
        (async () => {
          for (;;) {
            await stream.write(new Uint8Array(MAX_FRAME_BYTES))
            written.silent += MAX_FRAME_BYTES
          }
        })(),
      )
    },
  })
  client.open(utf8('silent'))
  await expect.poll(() => written.silent).toBe(WINDOW_BYTES)
  const stream = client.open(utf8('echo'))
  const sent = new Uint8Array(4 * WINDOW_BYTES).map((_, index) => index % 251)
  quietly(stream.write(sent).then(() => stream.end()))
  expect(await readAll(stream.incoming)).toEqual(Buffer.from(sent))
  expect(written.silent).toBe(WINDOW_BYTES)
  expect(carried.down).toBeLessThan(sent.length + WINDOW_BYTES + 20_000)
})

it('a stream that is sent byte by byte while nobody reads is kept, and read, in few pieces', async () => {
  const opened: MuxStream[] = []
  const multiplexer = createMultiplexer({
    send: () => Promise.resolve(),
    onOpen: (stream) => opened.push(stream),
    onClosed: () => undefined,
    maxStreams: 1,
  })
  multiplexer.receive(encodeFrame(FRAME.open, 1))
  const sent = new Uint8Array(WINDOW_BYTES / 8).map((_, index) => index % 251)
  for (const byte of sent) multiplexer.receive(encodeFrame(FRAME.data, 1, Uint8Array.of(byte)))
  multiplexer.receive(encodeFrame(FRAME.fin, 1))
  const pieces: Uint8Array[] = []
  for await (const piece of (opened[0] as MuxStream).incoming) pieces.push(piece)
  expect(pieces.length).toBeLessThan(100)
  expect(Buffer.concat(pieces)).toEqual(Buffer.from(sent))
})

it('schedules streams in turn: a small one is not delayed by a large one', async () => {
  const order: string[] = []
  const { client } = await connectPair({
    onOpen(stream, request) {
      quietly(
        (async () => {
          for await (const _ of stream.incoming) order.push(fromUtf8(request))
        })(),
      )
    },
  })
  const large = client.open(utf8('large'))
  const small = client.open(utf8('small'))
  quietly(large.write(new Uint8Array(WINDOW_BYTES)))
  await small.write(utf8('key'))
  await expect.poll(() => order).toContain('small')
  expect(order.indexOf('small')).toBeLessThan(4)
})

it('seals frames concurrently and sends them in order', async () => {
  const { client } = await connectPair({ onOpen: (stream) => void echo(stream) })
  const stream = client.open(utf8('echo'))
  const encrypt = crypto.subtle.encrypt.bind(crypto.subtle)
  let [atOnce, most, calls] = [0, 0, 0]
  const sealing = vi.spyOn(crypto.subtle, 'encrypt').mockImplementation(async (...args) => {
    atOnce += 1
    most = Math.max(most, atOnce)
    for (let turns = 6 * (calls++ % 3 === 0 ? 1 : 0); turns > 0; turns -= 1) await new Promise(setImmediate)
    atOnce -= 1
    return encrypt(...args)
  })
  const sent = new Uint8Array(2 * WINDOW_BYTES).map((_, index) => index % 251)
  quietly(stream.write(sent).then(() => stream.end()))
  expect(await readAll(stream.incoming)).toEqual(Buffer.from(sent))
  sealing.mockRestore()
  expect(most).toBeGreaterThan(2)
})

const MIDDLE: [string, (records: Uint8Array[]) => Uint8Array[]][] = [
  ['changed', ([a, b, ...rest]) => [a, flip(b), ...rest] as Uint8Array[]],
  ['dropped', ([a, , ...rest]) => [a, ...rest] as Uint8Array[]],
  ['repeated', ([a, b, ...rest]) => [a, b, b, ...rest] as Uint8Array[]],
  ['reordered', ([a, b, c, ...rest]) => [a, c, b, ...rest] as Uint8Array[]],
  ['cut', ([a, b, ...rest]) => [a, b?.slice(0, 10), ...rest] as Uint8Array[]],
  ['foreign', ([a, ...rest]) => [a, new Uint8Array(60), ...rest] as Uint8Array[]],
]

it.each(MIDDLE)('ends the session on both sides when a record is %s in transit, and uses nothing after it', async (_, change) => {
  let held: Uint8Array[] | undefined = []
  const { client, closed } = await connectPair({
    onOpen: (stream) => quietly(echo(stream)),
    between(record, direction) {
      if (direction === 'up' || !held) return [record]
      held.push(record)
      if (held.length < 4) return []
      const all = change(held)
      held = undefined
      return all
    },
  })
  const stream = client.open(utf8('echo'))
  const got: string[] = []
  const reading = (async () => {
    for await (const chunk of stream.incoming) got.push(fromUtf8(chunk))
  })()
  for (const word of ['one', 'two', 'three', 'four']) await stream.write(utf8(word))
  await expect(reading).rejects.toMatchObject({ code: 'stream_broken' })
  await expect(stream.closed).rejects.toMatchObject({ code: 'stream_broken' })
  expect(got.join(' ')).toMatch(/^one( two)?$/)
  expect(closed.up).toMatchObject({ code: 'stream_broken' })
  await expect.poll(() => closed.down).toMatchObject({ code: 'stream_interrupted' })
  expect(() => client.open(utf8('more'))).toThrow(StreamError)
})

it('reports the code of a cancel on both sides, and leaves other streams alone', async () => {
  const opened: MuxStream[] = []
  const { client } = await connectPair({ onOpen: (stream) => opened.push(stream) })
  const first = client.open(utf8('a'))
  const second = client.open(utf8('b'))
  await expect.poll(() => opened.length).toBe(2)
  opened[0]?.cancel('app_not_running', 'nothing runs')
  await expect(first.closed).rejects.toMatchObject({ code: 'app_not_running', message: 'nothing runs' })
  second.cancel()
  await expect(opened[1]?.closed).rejects.toMatchObject({ code: 'cancelled' })
  expect(opened[1]?.signal.reason).toMatchObject({ code: 'cancelled' })
})

it('reports why a session ends, and ends all its streams with that reason', async () => {
  const { client, server, closed } = await connectPair()
  const streams = [client.open(utf8('a')), client.open(utf8('b'))]
  await server.end(new StreamError('key_revoked', 'the key was revoked'))
  for (const stream of streams) await expect(stream.closed).rejects.toMatchObject({ code: 'key_revoked' })
  expect(closed.down).toMatchObject({ code: 'key_revoked' })
})

it('is ready with the peer’s first message, and never if the peer refuses', async () => {
  const one = await connectPair()
  one.server.ping()
  await one.client.ready
  const other = await connectPair()
  await other.server.end(new StreamError('order_not_owned', 'not yours'))
  await expect(other.client.ready).rejects.toMatchObject({ code: 'order_not_owned' })
})

it('refuses streams beyond the limit, and accepts the next once one has ended', async () => {
  const { client } = await connectPair({ maxStreams: 2, onOpen: (stream) => quietly(echo(stream)) })
  const [first] = [client.open(utf8('a')), client.open(utf8('b'))]
  expect(() => client.open(utf8('c'))).toThrow(/at most 2/)
  first.end()
  await first.closed
  expect(client.open(utf8('d')).signal.aborted).toBe(false)
  expect(() => client.open(new Uint8Array(MAX_FRAME_BYTES + 1))).toThrow(/too long/)
})

it('fails a write whose bytes never left when its session ends', async () => {
  let isStuck = false
  const { client, server } = await connectPair({
    ready: (direction) => (direction === 'up' && isStuck ? new Promise(() => undefined) : Promise.resolve()),
  })
  const stream = client.open(utf8('a'))
  await stream.write(utf8('one'))
  isStuck = true
  const write = stream.write(utf8('two'))
  await server.end(new StreamError('key_revoked', 'the key was revoked'))
  await expect(write).rejects.toMatchObject({ code: 'key_revoked' })
})

it('ends the opening side with the other, even during a write', async () => {
  const { client } = await connectPair({ onOpen: (stream) => stream.finish() })
  const stream = client.open(utf8('a'))
  const write = stream.write(new Uint8Array(3 * WINDOW_BYTES))
  await Promise.allSettled([write, stream.closed])
  await stream.closed
})
const flip = (record: Uint8Array | undefined): Uint8Array =>
  (record ?? new Uint8Array()).map((byte, index) => (index === 9 ? byte ^ 1 : byte))

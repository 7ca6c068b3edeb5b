import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { FastPath } from './FastPath.ts'
import { ResponseCache } from './ResponseCache.ts'

const MIB = 2 ** 20

it('keeps no more than 64 MB of answers, the newest of them, however many questions strangers invent', () => {
  const fastPath = new FastPath({ block: () => 1, allows: () => true, common: {} })
  const urls = Array.from({ length: 200 }, (_, at) => `/v1/rack?invented=${at}`)
  const isAnswered = (url: string) => {
    const response = { writeHead: () => response, end: () => response }
    return fastPath.answer(
      { method: 'GET', url, headers: {} } as IncomingMessage,
      response as unknown as ServerResponse<IncomingMessage>,
    )
  }
  for (const url of [...urls, ...urls])
    fastPath.keep(url, '', { holds: () => true, etag: 'e', headers: {}, body: Buffer.alloc(MIB) })
  expect(urls.filter(isAnswered)).toEqual(urls.slice(-64))
  fastPath.keep('/large', '', { holds: () => true, etag: 'e', headers: {}, body: Buffer.alloc(65 * MIB) })
  expect(isAnswered('/large')).toBe(false)
  expect(isAnswered(urls.at(-1) as string)).toBe(true)
})

it('sends every byte of what it kept, and the block of now, time after time', async () => {
  let block = 1
  const common = { 'x-content-type-options': 'nosniff' }
  const fastPath = new FastPath({ block: () => block, allows: () => true, common })
  const body = Buffer.from(Array.from({ length: 10_000 }, (_, at) => at % 256))
  const headers = { 'content-type': 'application/octet-stream', 'content-length': String(body.length) }
  fastPath.keep('/kept', '', { holds: () => true, etag: 'e', headers, body })
  const server = createServer((request, response) => void fastPath.answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const ask = async (more: Record<string, string> = {}) => {
    const asked = request({ port: (server.address() as AddressInfo).port, path: '/kept', headers: more }).end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    return { status: answer.statusCode, block: answer.headers['x-rackfair-block'], ...{ answer, bytes: await buffer(answer) } }
  }
  for (block of [1, 1, 2]) {
    const { status, bytes, answer, block: told } = await ask()
    expect([status, told]).toEqual([200, String(block)])
    expect(answer.headers).toMatchObject({ ...common, ...headers })
    expect(bytes.equals(body)).toBe(true)
  }
  expect(await ask({ 'if-none-match': '"e"' })).toMatchObject({ status: 304, block: '2', bytes: Buffer.alloc(0) })
})

it('does not answer with what the cache of responses had to drop', async () => {
  const cache = new ResponseCache(3 * MIB)
  const ask = (key: string) => cache.get(key, ['market'], 0, 1, () => ({ value: Buffer.alloc(MIB) }))
  const first = cache.watch('first', ['market'], await ask('first'))
  expect(first()).toBe(true)
  await ask('second')
  expect(first()).toBe(false)
})

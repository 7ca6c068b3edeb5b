import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
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

it('does not answer with what the cache of responses had to drop', async () => {
  const cache = new ResponseCache(3 * MIB)
  const ask = (key: string) => cache.get(key, ['market'], 0, 1, () => ({ value: Buffer.alloc(MIB) }))
  const first = cache.watch('first', ['market'], await ask('first'))
  expect(first()).toBe(true)
  await ask('second')
  expect(first()).toBe(false)
})

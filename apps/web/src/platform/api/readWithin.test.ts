// @vitest-environment node
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApi } from '@rackfair/sdk/http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readWithin } from './readWithin.ts'

/** Answers to what is sent after a time, to what is read never, or not to its end. */
const server = createServer((request, response) => {
  if (request.method === 'POST') setTimeout(() => response.end('{"fee":"1"}'), 300)
  else if (request.url === '/v1/rack') response.writeHead(200).write('{"nodes":')
})
let baseUrl = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
const api = () => createApi({ baseUrl, fetch: readWithin(100) })

test.each(['config', 'rack'] as const)(
  'ends a read of %s that is not answered whole, so that it is tried again',
  async (read) => {
    await expect(api()[read]()).rejects.toMatchObject({ code: 'platform_unreachable', retryable: true })
  },
)

test('waits for the answer to what was sent', async () => {
  expect(await api().fee({ duration: 1, node_id: 1, provider: '0x' })).toEqual({ fee: '1' })
})

test('ends a read that its page gives up as given up', async () => {
  const page = new AbortController()
  const reading = createApi({ baseUrl, fetch: readWithin(60_000) }).config({ signal: page.signal })
  page.abort()
  await expect(reading).rejects.toHaveProperty('name', 'AbortError')
})

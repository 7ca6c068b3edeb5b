import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openHttp } from './openHttp.ts'
import { visitorOf } from './visitorOf.ts'

/** Answers with the body, which may be slow to come. */
function echo(request: IncomingMessage, response: ServerResponse) {
  text(request).then(
    (body) => response.end(body),
    () => response.destroy(),
  )
}

test.each(['127.0.0.1', '::1'])('answers at %s, and cuts who does not send what was announced', async (host) => {
  const { url, close } = await openHttp(echo, { host, port: 0, bodyMs: 200 })
  const slow = connect(Number(new URL(url).port), host).on('error', () => undefined)
  slow.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\n1')
  slow.resume()
  expect(await (await fetch(url, { method: 'POST', body: 'all' })).text()).toBe('all')
  await once(slow, 'close')
  await close(async () => undefined)
  await expect(fetch(url)).rejects.toThrow()
})

test('ends what is under way when it closes, and takes no more', async () => {
  const { url, close } = await openHttp(() => undefined, { host: '127.0.0.1', port: 0, bodyMs: 1_000 })
  const asked = fetch(url).catch((error: Error) => error.message)
  const idle = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
  await once(idle, 'connect')
  let ended = false
  await close(async () => {
    ended = true
  })
  expect(ended).toBe(true)
  expect(await asked).toBe('fetch failed')
})

test.each([
  ['192.0.2.1', undefined, '192.0.2.1'],
  // Only a proxy on this machine speaks for others.
  ['192.0.2.1', '198.51.100.1', '192.0.2.1'],
  ['127.0.0.1', undefined, undefined],
  ['::ffff:127.0.0.1', '203.0.113.9, 198.51.100.1', '198.51.100.1'],
  ['::1', ' ', undefined],
])('a request of %s with %j is of %s', (remoteAddress, forwarded, visitor) => {
  const request = { socket: { remoteAddress }, headers: forwarded ? { 'x-forwarded-for': forwarded } : {} }
  expect(visitorOf(request as never)).toBe(visitor)
})

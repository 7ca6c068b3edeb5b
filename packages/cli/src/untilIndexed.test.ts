import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApi } from '@rackfair/sdk'
import { expect, onTestFinished, test } from 'vitest'
import { untilIndexed } from './untilIndexed.ts'

const go = new AbortController().signal
const json = (value: unknown) => (response: ServerResponse) => void response.end(JSON.stringify(value))

test('waits only until the platform has caught up', async () => {
  let asked = 0
  const api = await platform((response) => {
    asked += 1
    json({ block: asked < 3 ? 6 : 7 })(response)
  })
  await untilIndexed(api, 7n, go)
  expect(asked).toBe(3)
})

test.each<[string, (response: ServerResponse) => void]>([
  ['never answers', () => {}],
  ['never ends its answer', (response) => void response.write('{')],
  ['answers with no JSON', (response) => void response.end('<')],
  ['answers null', json(null)],
  ['answers with a block that is no number', json({ block: 'all' })],
  ['refuses', (response) => void response.writeHead(500).end()],
])('tolerates a platform that %s, and waits no longer than the limit', async (_, answer) => {
  await expect(untilIndexed(await platform(answer), 7n, go, 1000)).resolves.toBeUndefined()
})

test('stops waiting once the command is aborted', async () => {
  await expect(untilIndexed(await platform(() => {}), 7n, AbortSignal.abort(), 600_000)).resolves.toBeUndefined()
})

async function platform(answer: (response: ServerResponse) => void) {
  const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return createApi({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

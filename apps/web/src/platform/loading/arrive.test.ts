// @vitest-environment node
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { arrive } from './arrive.ts'
import { persist } from './persist.ts'

/** Long beside what a busy machine makes of a tenth of it. */
const STALL_MS = 3000
const PIECES = 12
const asked = new Map<string, number>()

/** How often a file fails, where it is not once. */
const failures: Readonly<Record<string, number>> = { '/broken.js': 2 }
/** What the server does with a request for a file as long as it fails; later ones are answered. */
const first: Record<string, (response: ServerResponse) => unknown> = {
  '/mute.js': () => {},
  '/silent.js': () => {},
  '/cut.js': (response) => response.write('a third of it'),
  '/slow.js': async (response) => {
    for (let piece = 0; piece < PIECES; piece += 1) {
      response.write('a piece')
      await new Promise((resolve) => setTimeout(resolve, STALL_MS / 10))
    }
    response.end()
  },
  // On a line with room for one file at a time.
  '/queued.js': (response) => setTimeout(() => response.end('whole'), (PIECES - 1) * (STALL_MS / 10)),
  '/broken.js': (response) => response.destroy(),
  '/missing.js': (response) => response.writeHead(404).end(),
}

const server = createServer(({ url = '' }, response) => {
  const times = asked.get(url) ?? 0
  asked.set(url, times + 1)
  const act = times < (failures[url] ?? 1) ? first[url] : undefined
  if (act) act(response)
  else response.end('whole')
})
let base = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
const come = (files: readonly string[], stallMs?: number) =>
  arrive(
    files.map((file) => base + file),
    'auto',
    stallMs,
  )

test('gives up what went silent and what is refused, and asks for it again', async () => {
  const files = ['/mute.js', '/cut.js', '/missing.js'] as const
  const ends = await Promise.allSettled(files.map((file) => come([file], STALL_MS)))
  expect(ends.map((end) => end.status === 'rejected' && end.reason instanceof TypeError)).toEqual([true, true, true])
  await come(files)
  expect(files.map((file) => asked.get(file))).toEqual([2, 2, 2])
})

test('asks again for a file that went silent, and twice for one whose line broke twice', async () => {
  await Promise.all(['/silent.js', '/broken.js'].map((file) => persist(() => come([file], STALL_MS))))
  expect([asked.get('/silent.js'), asked.get('/broken.js')]).toEqual([2, 3])
})

test('waits for a file that comes slowly, and for one that waits behind it', async () => {
  await come(['/slow.js', '/queued.js'], STALL_MS)
  expect([asked.get('/slow.js'), asked.get('/queued.js')]).toEqual([1, 1])
})

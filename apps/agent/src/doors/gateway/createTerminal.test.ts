import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { sayingLog } from '../../foundation/log.ts'
import type { Runtime } from '../../runtime/Runtime.ts'
import { createTerminal } from './createTerminal.ts'

it('disconnects a visitor with an oversized message, and continues to serve others', async () => {
  const stream = new PassThrough()
  const opened = async () => ({ stream, resize: async () => {}, exitCode: Promise.resolve(0) })
  const terminal = createTerminal({ terminal: opened } as unknown as Runtime, { idleMs: 60_000, log: sayingLog(() => {}) })
  const server = createServer().on('upgrade', (request, socket, head) => terminal.upgrade(request, socket, head, 1n, ['sh']))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const visitor = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  visitor.on('open', () => visitor.send(Buffer.alloc(1024 * 1024)))
  expect(await new Promise((resolve) => visitor.once('close', resolve))).toBe(1009)
  await expect.poll(() => stream.destroyed).toBe(true)
})

import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { OpenAPIHono } from '@hono/zod-openapi'
import { expect, it, onTestFinished } from 'vitest'
import { FastPath } from './FastPath.ts'
import { createHttpServer } from './httpServer.ts'

it('survives clients that request a WebSocket and reset the connection', async () => {
  const fastPath = new FastPath({ block: () => 0, allows: () => false, common: {} })
  const sockets: NodeJS.EventEmitter[] = []
  const server = createHttpServer(new OpenAPIHono(), fastPath, {
    relay: (_, socket) => sockets.push(socket),
    workspace: () => {},
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const caller = connect((server.address() as AddressInfo).port, '127.0.0.1')
  caller.write('GET /v1/relay HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
  await expect.poll(() => sockets.length).toBe(1)
  const ended = new Promise((resolve) => sockets[0]?.once('close', resolve))
  caller.resetAndDestroy()
  await ended
})

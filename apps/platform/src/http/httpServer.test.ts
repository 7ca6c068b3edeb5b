import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { OpenAPIHono } from '@hono/zod-openapi'
import { expect, it, onTestFinished } from 'vitest'
import { FastPath } from './FastPath.ts'
import { createHttpServer } from './httpServer.ts'

it('keeps a connection for the next request longer than the proxies in front of it do', async () => {
  const port = await startServer()
  const answer = await fetch(`http://127.0.0.1:${port}/`)
  await answer.body?.cancel()
  const kept = Number(/timeout=(\d+)/.exec(answer.headers.get('keep-alive') ?? '')?.[1])
  expect(kept).toBeGreaterThan(120)
})

it('survives clients that request a WebSocket and reset the connection', async () => {
  const sockets: NodeJS.EventEmitter[] = []
  const caller = connect(await startServer((socket) => sockets.push(socket)), '127.0.0.1')
  caller.write('GET /v1/relay HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
  await expect.poll(() => sockets.length).toBe(1)
  const ended = new Promise((resolve) => sockets[0]?.once('close', resolve))
  caller.resetAndDestroy()
  await ended
})

/** The port of one without routes. */
async function startServer(onRelay: (socket: NodeJS.EventEmitter) => void = () => {}): Promise<number> {
  const fastPath = new FastPath({ block: () => 0, allows: () => false, common: {} })
  const server = createHttpServer(new OpenAPIHono(), fastPath, { relay: (_, socket) => onRelay(socket), workspace: () => {} })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { endWebSocket, refuseUpgrade } from './lastWords.ts'

const HANDSHAKE =
  'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'
/** A text message "hi", as a client masks it. */
const MESSAGE = Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69])
let server: Server
const sockets = new Set<Socket>()

afterEach(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

/** A visitor who goes on sending, and never closes its side. */
async function dial(onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void) {
  server = createServer().on('upgrade', onUpgrade).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect({ port: (server.address() as { port: number }).port, host: '127.0.0.1', allowHalfOpen: true })
  sockets.add(socket)
  let heard = ''
  socket.on('error', () => {}).on('data', (chunk) => (heard += chunk.toString('latin1')))
  socket.write(HANDSHAKE)
  const sending = setInterval(() => socket.write(MESSAGE), 10)
  socket.once('close', () => clearInterval(sending))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  return { closed, heard: () => heard }
}

test('a refused upgrade ends though its visitor does not close', async () => {
  const { closed, heard } = await dial((_request, socket) => {
    socket.on('error', () => socket.destroy())
    refuseUpgrade(socket, '403 Forbidden')
  })
  await closed
  expect(heard()).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/)
})

test('a WebSocket that was ended hears nothing more, and ends though its visitor does not close', async () => {
  const wss = new WebSocketServer({ noServer: true })
  let messages = 0
  const { closed, heard } = await dial((request, socket, head) => {
    wss.handleUpgrade(request, socket, head, (opened: WebSocket) => {
      opened.on('error', () => {})
      opened.on('message', () => {
        messages += 1
        if (messages === 3) endWebSocket(opened, 4408, 'idle')
      })
    })
  })
  await closed
  expect(messages).toBe(3)
  expect(heard()).toContain('idle')
})

import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { postJson } from './postJson.ts'

it('fails on a protocol switch as on any other invalid response', async () => {
  const port = await listen((socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
  )
  const target = { ip: '127.0.0.1', port, path: '/', tls: false }
  await expect(postJson(target, {}, { timeoutMs: 1_000, maxBytes: 100 })).rejects.toThrow('switches protocols')
})

/** A server that answers the first bytes of each connection. */
async function listen(answer: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => {}).once('data', () => answer(socket)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

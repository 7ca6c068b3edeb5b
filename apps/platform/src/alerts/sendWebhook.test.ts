import { type AddressInfo, createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { sendWebhook } from './sendWebhook.ts'

it('reports a receiver that switches protocols without waiting for the timeout', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await expect(sendWebhook(target, '{}', 'secret', { isLocal: true, now: 0 })).rejects.toThrow('101')
})

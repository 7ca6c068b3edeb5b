import { createServer, get } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { limitConnections } from './limitConnections.ts'

/** A server with these limits, on every address of this machine's loopback. */
async function setup(limits: Parameters<typeof limitConnections>[1]) {
  const server = createServer((request, response) => {
    if (request.url === '/stall') response.write('x')
    else response.writeHead(200, { connection: 'close' }).end('read')
  })
  limitConnections(server, limits)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    /** Opens connections that ask nothing. */
    async hold(count: number): Promise<void> {
      await Promise.all(
        Array.from({ length: count }, () => {
          const socket = connect(port, '127.0.0.1').on('error', () => {})
          sockets.push(socket)
          return new Promise((resolve) => socket.once('connect', resolve))
        }),
      )
    },
    ask: (path = '/') =>
      new Promise<string>((resolve, reject) => {
        get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
          let text = ''
          response.on('data', (chunk) => {
            text += chunk
          })
          response.on('end', () => resolve(text)).on('error', reject)
        }).on('error', reject)
      }),
  }
}

it('answers a reader whatever number of connections others hold', async () => {
  const { hold, ask } = await setup({})
  for (let round = 0; round < 3; round += 1) {
    await hold(300)
    expect(await ask()).toBe('read')
  }
})

it('closes what asks nothing before what waits for its answer, and that after its time', async () => {
  const { hold, ask } = await setup({ total: 4, answerMs: 200 })
  const stalled = ask('/stall').catch((error: NodeJS.ErrnoException) => error.code)
  await hold(8)
  expect(await ask()).toBe('read')
  expect(await stalled).toBe('ECONNRESET')
})

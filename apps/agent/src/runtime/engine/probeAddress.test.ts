import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { probeAddress } from './probeAddress.ts'

const HOST = '127.0.0.1'
const DRIP_MS = 100

describe('an application probe', () => {
  const close: (() => void)[] = []
  afterEach(() => {
    for (const one of close.splice(0)) one()
  })

  /** An application that runs `answer` for each connection. */
  const listen = async (answer: (socket: Socket) => void): Promise<number> => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      close.push(() => socket.destroy())
      answer(socket)
    }).listen(0, HOST)
    close.push(() => server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    return (server.address() as AddressInfo).port
  }
  const probe = (port: number) => probeAddress(HOST, { kind: 'http', port, path: '/', periodSeconds: 1, failures: 1 })

  it('accepts responses from 200 to 399, as Kubernetes does', async () => {
    const accepts = async (status: number) =>
      probe(await listen((socket) => socket.end(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`)))
    for (const status of [200, 204, 301, 399]) expect([status, await accepts(status)]).toEqual([status, true])
    for (const status of [199, 400, 401, 403, 404, 500, 503]) expect([status, await accepts(status)]).toEqual([status, false])
    expect(await probe(await listen((socket) => socket.destroy()))).toBe(false)
  })

  it('ends even if headers trickle in endlessly', async () => {
    const port = await listen((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const drip = setInterval(() => socket.write('x-drip: 1\r\n'), DRIP_MS)
      close.push(() => clearInterval(drip))
    })
    expect(await probe(port)).toBe(false)
  }, 30_000)
})

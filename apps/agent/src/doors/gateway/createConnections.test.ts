import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from 'vitest'
import type { NewcomerPace } from '../../foundation/newcomers.ts'
import { sendJson } from '../../foundation/sendJson.ts'
import { setupGateway } from '../../testing/setupGateway.ts'
import { createConnections } from './createConnections.ts'

/** So that the machine's speed decides nothing: all of it counts as one moment. */
const WINDOW_MS = 1e8
const CALM: NewcomerPace = { calm: 1e9, each: 1e9, windowMs: WINDOW_MS }

const MAX = 240
const ATTACKERS = 8

describe('the connections of a gateway', () => {
  const cleanUp: (() => unknown)[] = []
  afterEach(async () => {
    for (const one of cleanUp.splice(0).reverse()) await one()
  })

  it.each(['keep-alive', 'silent', 'slow', 'busy'] as const)(
    'stay open to everybody while eight addresses hold more than all of them: %s',
    async (kind) => {
      const { door, asMonitor } = await setup()
      const monitor = await open('127.0.0.20', door.port, asMonitor)
      const visitor = await open('127.0.0.21', door.port)
      expect([await monitor.ask(), await visitor.ask()]).toEqual([200, 200])
      await flood(door.port, kind)
      for (let count = 0; count < 20; count += 1) {
        const fresh = await open(`127.0.1.${count + 1}`, door.port)
        expect(await fresh.ask()).toBe(200)
        fresh.socket.destroy()
      }
      expect([await monitor.ask(), await visitor.ask()]).toEqual([200, 200])
      const sharing = await open('127.0.0.101', door.port, asMonitor)
      expect(await sharing.ask()).toBe(200)
    },
  )

  it('are refused unread where they come faster than they can be closed, by network, whatever holds the places', async () => {
    const { door, asMonitor } = await setup({}, { calm: 20, each: 10, windowMs: WINDOW_MS })
    const storm = async (localAddress: string) => {
      let served = 0
      for (let count = 0; count < 40; count += 1) if ((await (await open(localAddress, door.port)).ask()) === 200) served += 1
      return served
    }
    expect(await storm('127.0.0.31')).toBe(20)
    expect(await storm('127.0.0.32')).toBe(10)
    expect(await (await open('127.0.0.33', door.port, asMonitor)).ask()).toBe(200)
    expect(await (await open('127.0.0.34', door.port)).ask()).toBe(200)
  })

  it('are all of one network behind a proxy, which answers for their pace', async () => {
    const { door } = await setup({ tls: true }, { calm: 1, each: 1, windowMs: WINDOW_MS })
    for (let count = 0; count < 5; count += 1)
      expect(await (await open('127.0.0.1', door.port, '/healthz', `203.0.113.${count + 1}`)).ask()).toBe(200)
  })

  it('count for the visitor that a proxy names', async () => {
    const { door } = await setup({ tls: true })
    const visitor = await open('127.0.0.1', door.port, '/healthz', '203.0.113.1')
    expect(await visitor.ask()).toBe(200)
    const crowd = await Promise.all(
      Array.from({ length: MAX + 40 }, async () => {
        const one = await open('127.0.0.1', door.port, '/healthz', '203.0.113.2')
        await one.ask()
        return one
      }),
    )
    await expect.poll(() => crowd.filter(({ socket }) => socket.destroyed).length).toBeGreaterThanOrEqual(40)
    expect(await visitor.ask()).toBe(200)
  })

  it('are dropped in the network that has most, where one subscriber may have many', () => {
    const dropped = (addresses: string[]) => {
      const connections = createConnections({ max: addresses.length - 1, newcomers: CALM })
      const sockets = addresses.map((remoteAddress) => Object.assign(new EventEmitter(), { remoteAddress, destroy: () => {} }))
      const gone: string[] = []
      for (const socket of sockets) socket.destroy = () => gone.push(socket.remoteAddress)
      for (const socket of sockets) connections.add(socket as unknown as Socket)
      return gone[0]
    }
    const times = (many: number, of: (index: number) => string) => Array.from({ length: many }, (_, index) => of(index))
    const hex = (index: number) => index.toString(16)
    expect(dropped([...times(3, () => '203.0.113.1'), ...times(2, () => '203.0.113.2')])).toBe('203.0.113.1')
    const subnets = times(40, (index) => `2001:db8:0:${hex(index)}::1`)
    expect(dropped([...subnets, ...times(8, () => '203.0.113.1')])).toBe('2001:db8:0:0::1')
    expect(dropped([...times(8, (index) => `2001:db8:0:${hex(index)}::1`), ...times(3, () => '203.0.113.1')])).toBe('203.0.113.1')
    const sites = times(200, (index) => `2001:db8:0:${hex(index * 256)}::1`)
    expect(dropped([...sites, ...times(12, () => '203.0.113.1')])).toBe('2001:db8:0:0::1')
    const neighbours = [...times(30, (index) => `2001:db8:0:${hex(index)}::1`), ...times(12, () => '2001:db8:0:ff::1')]
    expect(dropped(neighbours)).toBe('2001:db8:0:ff::1')
    expect(dropped(times(5, () => '::ffff:203.0.113.1'))).toBe('::ffff:203.0.113.1')
  })

  it('keep places for 64 monitors at most, the newest ones', () => {
    const connections = createConnections({ max: 10, newcomers: CALM })
    const gone: number[] = []
    const sockets = Array.from({ length: 90 }, (_, index) =>
      Object.assign(new EventEmitter(), { remoteAddress: '203.0.113.1', destroy: () => gone.push(index) }),
    )
    for (const socket of sockets) {
      const request = { socket } as unknown as IncomingMessage
      connections.add(socket as unknown as Socket)
      connections.use(request, new EventEmitter() as ServerResponse)
      connections.keep(request)
    }
    expect(gone.length).toBe(90 - 64 - 10)
    expect(Math.max(...gone)).toBeLessThan(90 - 64)
  })

  const setup = async (config = {}, newcomers = CALM) => {
    const attestations = {
      attestation: async (_: IncomingMessage, response: ServerResponse) => sendJson(response, 200, {}),
      acknowledgement: async () => {},
    }
    const door = await setupGateway({ config, maxConnections: MAX, newcomers, attestations })
    cleanUp.push(() => door.close())
    return { door, asMonitor: '/.rackfair/attestation' }
  }

  /** A connection with keep-alive from an address of this machine. */
  const open = async (localAddress: string, port: number, path = '/healthz', visitor?: string) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress })
    cleanUp.push(() => socket.destroy())
    socket.on('error', () => {})
    await once(socket, 'connect')
    const forwarded = visitor ? `x-forwarded-for: ${visitor}\r\n` : ''
    return {
      socket,
      /** The status of a request on it; undefined if the connection was lost. */
      ask: () =>
        new Promise<number | undefined>((resolve) => {
          socket.once('data', (head) => resolve(Number(String(head).split(' ')[1])))
          socket.once('close', () => resolve(undefined))
          socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${forwarded}\r\n`)
        }),
    }
  }

  /** Another process holds twice as many connections as there may be, and opens a new one for each that it loses. */
  const flood = async (port: number, kind: string) => {
    const each = (2 * MAX) / ATTACKERS
    const args = ['--input-type=module', '-e', FLOOD, String(port), kind, String(ATTACKERS), String(each)]
    const child: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    cleanUp.push(() => {
      child.kill('SIGKILL')
      return ended
    })
    for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) if (line === 'full') break
  }
})

const FLOOD = `
import { connect } from 'node:net'
const [port, kind, addresses, each] = process.argv.slice(1)
const HEAD = 'GET /healthz HTTP/1.1\\r\\nhost: 127.0.0.1:' + port + '\\r\\n'
let opened = 0
const attack = (localAddress) => {
  const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress })
  let again
  socket.on('connect', () => {
    opened += 1
    if (opened === addresses * each) console.log('full')
    if (kind === 'keep-alive') {
      const ask = () => socket.write(HEAD + '\\r\\n')
      ask()
      again = setInterval(ask, 500)
    } else if (kind === 'slow') {
      socket.write(HEAD)
      again = setInterval(() => socket.write('x-more: 1\\r\\n'), 500)
    } else if (kind === 'busy') socket.write('POST /.rackfair/open HTTP/1.1\\r\\nhost: 127.0.0.1:' + port + '\\r\\ncontent-length: 9\\r\\n\\r\\n')
  })
  socket.on('data', () => {})
  socket.on('error', () => {})
  socket.on('close', () => {
    clearInterval(again)
    setTimeout(attack, 200, localAddress)
  })
}
for (let index = 0; index < addresses; index += 1)
  for (let count = 0; count < each; count += 1) attack('127.0.0.' + (101 + index))
`

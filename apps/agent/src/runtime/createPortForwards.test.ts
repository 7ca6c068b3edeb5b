import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { freePort } from '@rackfair/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sayingLog } from '../foundation/log.ts'
import { createPortForwards } from './createPortForwards.ts'

const LONG = { timeout: 60_000 }
/** More than all buffers between two sides hold. */
const LARGE = 64 * 2 ** 20

describe('port forwarding', () => {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      text += chunk
    })
    // Answers after the other side has finished sending.
    socket.on('end', () => socket.end(`heard ${text.length}`))
  })
  const udp = createSocket('udp4')
  let inside = 0
  let running = true
  const sockets = new Set<Socket>()
  /** Source ports of the packets. */
  const sources = new Set<number>()
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    inside = (server.address() as { port: number }).port
    udp.on('message', (packet, from) => {
      sources.add(from.port)
      udp.send(`echo ${packet}`, from.port, from.address)
    })
    await new Promise<void>((resolve) => udp.bind(inside, '127.0.0.1', resolve))
  })
  afterAll(() => {
    server.close()
    udp.close()
    for (const socket of sockets) socket.close()
  })
  const setup = async (size: number, more: Partial<Parameters<typeof createPortForwards>[0]> = {}) => {
    const from = await freePort()
    const range: [number, number] = [from, from + size - 1]
    const forwards = createPortForwards({
      ...{ range, host: '127.0.0.1', log: sayingLog(() => {}) },
      addressOf: () => (running ? '127.0.0.1' : undefined),
      ...more,
    })
    return { forwards, range }
  }
  const say = async (port: number, text: string, localAddress?: string) => {
    const socket = connect({ host: '127.0.0.1', port, ...(localAddress && { localAddress }) })
    let heard = ''
    socket.on('data', (chunk) => {
      heard += chunk
    })
    socket.on('error', () => {})
    socket.end(text)
    await new Promise((resolve) => socket.once('close', resolve))
    return heard
  }
  const ask = async (port: number, text: string, socket = createSocket('udp4')) => {
    const answer = once(socket, 'message')
    const again = setInterval(() => socket.send(text, port, '127.0.0.1'), 200)
    const [message] = await answer
    clearInterval(again)
    sockets.add(socket)
    return String(message)
  }

  it('forwards TCP with half-closed connections, and UDP in both directions', async () => {
    const { forwards } = await setup(20)
    const [tcp, other] = await forwards.open(1n, [
      { protocol: 'tcp', port: inside },
      { protocol: 'udp', port: inside },
    ])
    expect(await say(tcp?.outside ?? 0, 'x'.repeat(300_000))).toBe('heard 300000')
    expect(await Promise.all(['a', 'b', 'c'].map((text) => ask(other?.outside ?? 0, text)))).toEqual([
      'echo a',
      'echo b',
      'echo c',
    ])
    running = false
    expect(await say(tcp?.outside ?? 0, 'x')).toBe('')
    running = true
    forwards.close(1n)
    expect(await say(tcp?.outside ?? 0, 'x')).toBe('')
    forwards.closeAll()
  })

  it('keeps its port numbers over a restart of the agent, unique to each order', async () => {
    const { forwards, range } = await setup(6)
    const wanted = [{ protocol: 'tcp' as const, port: inside }]
    const first = await forwards.open(1n, wanted)
    const second = await forwards.open(2n, wanted)
    expect(first[0]?.outside).not.toBe(second[0]?.outside)
    expect(await forwards.open(1n, wanted)).toEqual(first)
    forwards.closeAll()
    const later = createPortForwards({ ...{ range, host: '127.0.0.1', log: sayingLog(() => {}) }, addressOf: () => '127.0.0.1' })
    expect(await later.open(2n, wanted, second)).toEqual(second)
    expect(await say(second[0]?.outside ?? 0, 'abc')).toBe('heard 3')
    later.closeAll()
  })

  it('skips occupied ports, and reports when none is left', async () => {
    const { forwards, range } = await setup(2)
    const taken = createServer().listen(range[0], '127.0.0.1')
    await once(taken, 'listening')
    const [given] = await forwards.open(1n, [{ protocol: 'tcp', port: inside }])
    expect(given?.outside).toBe(range[1])
    await expect(forwards.open(2n, [{ protocol: 'tcp', port: inside }])).rejects.toMatchObject({ code: 'port_unavailable' })
    // UDP has its own port numbers.
    expect((await forwards.open(3n, [{ protocol: 'udp', port: inside }])).length).toBe(1)
    taken.close()
    forwards.closeAll()
    const none = createPortForwards({ range: null, host: '127.0.0.1', addressOf: () => undefined, log: sayingLog(() => {}) })
    await expect(none.open(1n, [{ protocol: 'tcp', port: 1 }])).rejects.toMatchObject({ code: 'port_unavailable' })
  })

  it('limits connections and UDP peers per order, not per port', async () => {
    const { forwards } = await setup(20, { limits: { connections: 2, peers: 2 } })
    const [one, other, first, second] = await forwards.open(1n, [
      { protocol: 'tcp', port: inside },
      { protocol: 'tcp', port: inside },
      { protocol: 'udp', port: inside },
      { protocol: 'udp', port: inside },
    ])
    const held = await Promise.all(
      [one, other].map(async (forward) => {
        const socket = connect({ host: '127.0.0.1', port: forward?.outside ?? 0 }).on('error', () => {})
        await once(socket, 'connect')
        return socket
      }),
    )
    await expect.poll(() => say(one?.outside ?? 0, 'x'), LONG).toBe('')
    expect(await say(other?.outside ?? 0, 'x')).toBe('')
    held[0]?.destroy()
    await expect.poll(() => say(other?.outside ?? 0, 'x'), LONG).toBe('heard 1')
    held[1]?.destroy()

    sources.clear()
    const sender = createSocket('udp4')
    await ask(first?.outside ?? 0, 'a', sender)
    for (const text of ['b', 'c']) await ask(second?.outside ?? 0, text)
    expect(sources.size).toBe(3)
    // The first one was evicted for the third, and now has another source port.
    await expect.poll(async () => [await ask(first?.outside ?? 0, 'a', sender), sources.size], LONG).toEqual(['echo a', 4])
    forwards.closeAll()
  })

  describe('a side that reads nothing', () => {
    /** An application that keeps sending, or that reads nothing. */
    const busy = createServer((socket) => {
      held.add(socket.on('error', () => {}).once('close', () => held.delete(socket)))
      if (isSilent) socket.pause()
      else socket.write(Buffer.alloc(LARGE))
    })
    const held = new Set<import('node:net').Socket>()
    let isSilent = false
    let at: string | undefined = '127.0.0.1'
    beforeAll(() => once(busy.listen(0, '127.0.0.1'), 'listening'))
    afterAll(() => busy.close())
    const port = () => (busy.address() as { port: number }).port
    const begin = async (times: { stuckMs: number; sweepMs: number }) => {
      at = '127.0.0.1'
      const { forwards } = await setup(20, { times, addressOf: () => at, limits: { connections: 1, peers: 1 } })
      const [forward] = await forwards.open(1n, [{ protocol: 'tcp', port: port() }])
      const visitor = connect({ host: '127.0.0.1', port: forward?.outside ?? 0, allowHalfOpen: true }).on('error', () => {})
      await once(visitor, 'connect')
      await expect.poll(() => held.size, LONG).toBe(1)
      return { forwards, visitor, outside: forward?.outside ?? 0 }
    }
    const NEVER = { stuckMs: 1e8, sweepMs: 1e8 }

    it.each([
      { who: 'a visitor, while the application runs', times: { stuckMs: 300 } },
      { who: 'a visitor, once the application is elsewhere', times: { sweepMs: 100 }, next: '127.0.0.2' },
      { who: 'a visitor, once the application is gone', times: { sweepMs: 100 }, next: undefined },
    ])('$who', async ({ times, ...then }) => {
      isSilent = false
      const { forwards, visitor } = await begin({ ...NEVER, ...times })
      const closed = once(visitor, 'close')
      if ('next' in then) at = then.next
      await expect.poll(() => held.size, LONG).toBe(0)
      // Only now it reads, and finds the end.
      visitor.resume().end()
      await closed
      expect(visitor.bytesRead).toBeLessThan(LARGE)
      forwards.closeAll()
    })

    it('an application, until its visitor has waited for long or is gone', async () => {
      isSilent = true
      const { forwards, visitor, outside } = await begin({ ...NEVER, stuckMs: 100 })
      visitor.write(Buffer.alloc(LARGE))
      visitor.destroySoon()
      // There is one place, and the application never learns that it is free.
      const taken = once(busy, 'connection')
      const asking = setInterval(() => connect({ host: '127.0.0.1', port: outside }).on('error', () => {}), 50)
      await taken
      clearInterval(asking)
      forwards.closeAll()
      visitor.destroy()
      for (const socket of held) socket.destroy()
    })
  })

  it('refuses whoever opens connections faster than all ports of an order may take, and nobody else', async () => {
    const { forwards } = await setup(20, { pace: { calm: 4, each: 2, windowMs: 1e8 } })
    const ports = await forwards.open(1n, [
      { protocol: 'tcp', port: inside },
      { protocol: 'tcp', port: inside },
    ])
    const from = (localAddress: string, at: number) => say(ports[at % 2]?.outside ?? 0, 'x', localAddress)
    for (let at = 0; at < 4; at += 1) expect(await from('127.0.0.11', at)).toBe('heard 1')
    expect([await from('127.0.0.11', 0), await from('127.0.0.11', 1)]).toEqual(['', ''])
    expect([await from('127.0.0.12', 0), await from('127.0.0.12', 1), await from('127.0.0.12', 0)]).toEqual([
      'heard 1',
      'heard 1',
      '',
    ])
    forwards.closeAll()
  })
})

import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { freePort } from '@rackfair/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sayingLog } from '../foundation/log.ts'
import { createPortForwards } from './createPortForwards.ts'

const LONG = { timeout: 60_000 }

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
  const setup = async (size: number, limits?: { connections: number; peers: number }) => {
    const from = await freePort()
    const range: [number, number] = [from, from + size - 1]
    const forwards = createPortForwards({
      ...{ range, host: '127.0.0.1', log: sayingLog(() => {}) },
      addressOf: () => (running ? '127.0.0.1' : undefined),
      ...(limits ? { limits } : {}),
    })
    return { forwards, range }
  }
  const say = async (port: number, text: string) => {
    const socket = connect({ host: '127.0.0.1', port })
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
    const { forwards } = await setup(20, { connections: 2, peers: 2 })
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
})

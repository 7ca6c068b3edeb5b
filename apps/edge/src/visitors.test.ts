import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect as connectTcp, type Socket } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { type ConnectionOptions, connect, createServer, type Server } from 'node:tls'
import type { DoorVisitor } from '@rackfair/protocol/door'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { dialBack, type Peer } from './testing/dialBack.ts'
import { type StartedEdge, startEdge } from './testing/startEdge.ts'

const SOON = { timeout: 60_000, interval: 10 }
const SECRET = 'a secret of this visitor'
/** However it ends. */
const closed = (socket: Socket) => new Promise((resolve) => socket.resume().once('close', resolve).once('end', resolve))

describe('visitors of an agent without an open port', () => {
  let edge: StartedEdge
  let peer: Peer
  let name: string
  let rawPort: number
  let tls: Server
  const came: DoorVisitor[] = []
  /** What the agent does with plain and raw connections. */
  let onPlain = (socket: Socket) => void socket.pipe(socket)

  beforeAll(async () => {
    edge = await startEdge({ times: { nameMs: 1_000, awayMs: 200 } })
    // Any certificate will do; the edge's own is at hand.
    tls = createServer({ ...edge.certificate, ALPNProtocols: ['http/1.1'], allowHalfOpen: true }, (socket) => socket.pipe(socket))
    peer = await dialBack(edge, {
      serve(socket, visitor) {
        came.push(visitor)
        if (visitor.kind === 'tls') tls.emit('connection', socket)
        else onPlain(socket)
      },
    })
    const welcome = await peer.enter()
    name = welcome.name
    rawPort = welcome.rawPort
  })
  afterAll(async () => {
    peer.close()
    await edge.close()
  })
  const visit = (servername: string) => {
    const options: ConnectionOptions = { port: edge.ports.tls, host: '127.0.0.1', servername, rejectUnauthorized: false }
    const socket = connect(options)
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    return socket
  }
  const knock = (port: number, options = {}) => {
    const socket = connectTcp({ port, host: '127.0.0.1', allowHalfOpen: true, ...options })
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    return socket
  }

  it('come by the name of a TLS hello, and speak with the agent alone', async () => {
    expect(name).toMatch(/^p-[0-9a-f]{10}\.edge\.test$/)
    for (const servername of [name, `o-12.${name}`, `O-12.${name.toUpperCase()}`]) {
      const socket = visit(servername)
      socket.end(SECRET)
      expect(await text(socket)).toBe(SECRET)
      expect(came.at(-1)).toEqual({ kind: 'tls', from: '127.0.0.1', name: servername.toLowerCase() })
    }
  })

  it('come by the Host of a request, and at the raw port without a name', async () => {
    const head = `GET / HTTP/1.1\r\nhost: o-7.${name}\r\n\r\n`
    const plain = knock(edge.ports.plain)
    for (const part of [head.slice(0, 9), head.slice(9)]) plain.write(part)
    plain.end('body')
    expect(await text(plain)).toBe(`${head}body`)
    expect(came.at(-1)).toEqual({ kind: 'plain', from: '127.0.0.1', name: `o-7.${name}` })
    const raw = knock(rawPort, { localAddress: '127.0.0.9' })
    raw.end('anything')
    expect(await text(raw)).toBe('anything')
    expect(came.at(-1)).toEqual({ kind: 'raw', from: '127.0.0.9', name: '' })
  })

  it('transfer much in both directions at once, byte by byte the same, and it is counted', async () => {
    const sent = randomBytes(24_000_000)
    const raw = knock(rawPort)
    raw.end(sent)
    const back = await buffer(raw)
    expect(createHash('sha256').update(back).digest('hex')).toBe(createHash('sha256').update(sent).digest('hex'))
    const counted = () => edge.metric(`rackfair_edge_bytes_total{provider="${peer.provider}"}`)
    await vi.waitFor(async () => expect(await counted()).toBeGreaterThan(48_000_000), SOON)
  })

  it('see the end of one direction as one, and can be answered after it', async () => {
    onPlain = (socket) => void text(socket).then((asked) => socket.end(`${asked}? yes`))
    onTestFinished(() => {
      onPlain = (socket) => void socket.pipe(socket)
    })
    const raw = knock(rawPort)
    raw.end('question')
    expect(await text(raw)).toBe('question? yes')
  })

  it.each(['visitor', 'agent'] as const)('notice when the %s breaks off', async (who) => {
    let agent: Socket | undefined
    onPlain = (socket) => {
      agent = socket.pipe(socket)
    }
    onTestFinished(() => {
      onPlain = (socket) => void socket.pipe(socket)
    })
    const raw = knock(rawPort)
    raw.write('!')
    await once(raw, 'data')
    const [one, other] = who === 'visitor' ? [raw, agent as unknown as Socket] : [agent as unknown as Socket, raw]
    const broken = closed(other)
    one.resetAndDestroy()
    await broken
  })

  it('who have no name, an unknown one or somebody else’s are told by TLS or HTTP', async () => {
    const errorOf = async (servername: string) => (await once(visit(servername), 'error'))[0].code
    for (const wrong of ['edge.test', 'o-1.p-0000000000.edge.test', `${name}.example`, 'example.org', 'x'.repeat(60)])
      expect(await errorOf(wrong), wrong).toMatch(/^ERR_SSL_(TLSV1_UNRECOGNIZED_NAME|TLSV1_ALERT_INTERNAL_ERROR)$/)
    expect(await errorOf('')).toBe('ERR_SSL_TLSV1_UNRECOGNIZED_NAME')
    const status = await new Promise((resolve, reject) => {
      const asking = request({ port: edge.ports.plain, host: '127.0.0.1', headers: { host: 'example.org' } }, (answer) =>
        resolve(answer.statusCode),
      )
      asking.on('error', reject).end()
    })
    expect(status).toBe(503)
  })

  it('who say nothing, or too slowly, or no hello, are cut', async () => {
    const before = came.length
    const silent = knock(edge.ports.tls)
    const slow = knock(edge.ports.tls)
    const dripping = setInterval(() => slow.write(Buffer.from([22])), 100)
    onTestFinished(() => clearInterval(dripping))
    const other = knock(edge.ports.tls)
    other.write('SSH-2.0-OpenSSH_9.2\r\n')
    await Promise.all([silent, slow, other].map(closed))
    expect(came).toHaveLength(before)
  })

  it('are not read by the edge: what it passes on is encrypted for the agent', async () => {
    const seen: Buffer[] = []
    const listening = (socket: Socket) => socket.on('data', (chunk: Buffer) => seen.push(chunk))
    tls.on('connection', listening)
    onTestFinished(() => void tls.off('connection', listening))
    const socket = visit(name)
    socket.end(SECRET)
    expect(await text(socket)).toBe(SECRET)
    expect(Buffer.concat(seen).includes(SECRET)).toBe(false)
  })
})

describe('limits', () => {
  const start = async (options: Parameters<typeof startEdge>[0], peerOptions: Parameters<typeof dialBack>[1] = {}) => {
    const edge = await startEdge(options)
    onTestFinished(() => edge.close())
    const peer = await dialBack(edge, { serve: (socket) => void socket.pipe(socket), ...peerOptions })
    onTestFinished(() => peer.close())
    const { rawPort, name } = await peer.enter()
    const visit = (localAddress = '127.0.0.1') => {
      const socket = connectTcp({ port: rawPort, host: '127.0.0.1', localAddress })
      socket.on('error', () => {})
      onTestFinished(() => void socket.destroy())
      return socket
    }
    /** What comes back for one byte. */
    const echo = async (socket: Socket) => {
      socket.write('!')
      const [chunk] = await Promise.race([once(socket, 'data'), once(socket, 'close')])
      return Buffer.isBuffer(chunk) ? chunk.toString().slice(0, 12) : 'closed'
    }
    return { edge, peer, rawPort, name, visit, echo }
  }
  const BUSY = 'HTTP/1.1 503'

  it('keep one network from taking the place of others, and a provider from taking more than its own', async () => {
    const { peer, visit, echo } = await start({ limits: { connections: 5, perNetwork: 3 } })
    const first = [visit(), visit(), visit()]
    for (const one of first) expect(await echo(one)).toBe('!')
    expect(await echo(visit())).toBe(BUSY)
    for (const other of ['127.0.0.2', '127.0.0.3']) expect(await echo(visit(other))).toBe('!')
    expect(await echo(visit('127.0.0.4'))).toBe(BUSY)
    expect(await peer.next('full')).toMatchObject({ of: 'connections' })
    first[0]?.destroy()
    await vi.waitFor(async () => expect(await echo(visit('127.0.0.4'))).toBe('!'), SOON)
  })

  it('slow down one network that opens connections again and again', async () => {
    const { visit, echo } = await start({ limits: { perNetwork: 4, newPerSecond: 0.001 } })
    const answers: string[] = []
    for (let count = 0; count < 10; count += 1) {
      const socket = visit()
      answers.push(await echo(socket))
      socket.destroy()
      await once(socket, 'close')
    }
    expect(answers.slice(0, 3)).toEqual(['!', '!', '!'])
    expect(answers).toContain(BUSY)
    expect(await echo(visit('127.0.0.2'))).toBe('!')
  })

  it('drop the oldest of those who say nothing, so that one who does is served in a flood', async () => {
    const { edge, name } = await start({ limits: { unknown: 50, unknownPerNetwork: 40 } })
    const flood = Array.from({ length: 120 }, (_, index) => {
      const socket = connectTcp({ port: edge.ports.plain, host: '127.0.0.1', localAddress: `127.0.1.${(index % 4) + 1}` })
      socket.on('error', () => {})
      onTestFinished(() => void socket.destroy())
      return socket
    })
    await vi.waitFor(() => expect(flood.filter((one) => one.closed).length).toBeGreaterThanOrEqual(70), SOON)
    const socket = connectTcp({ port: edge.ports.plain, host: '127.0.0.1' })
    onTestFinished(() => void socket.destroy())
    const head = `GET / HTTP/1.1\r\nhost: ${name}\r\n\r\n`
    socket.write(head)
    expect(String((await once(socket, 'data'))[0])).toBe(head)
  })

  it('end at the bytes of a month, say so, and begin anew with the next', async () => {
    const { edge, peer, visit, echo } = await start({ limits: { monthlyBytes: 100_000 }, times: { countMs: 20 } })
    const much = visit()
    much.write(Buffer.alloc(80_000))
    much.resume()
    await vi.waitFor(async () => expect(await echo(visit())).toBe(BUSY), SOON)
    const { of, until } = await peer.next('full')
    expect([of, until]).toEqual(['bytes', edge.book.nextMonth()])
    edge.clock.offset = 32 * 86_400
    much.destroy()
    await vi.waitFor(async () => expect(await echo(visit())).toBe('!'), SOON)
  })

  it('cut what is blocked at once: a name, and a provider with its agent', async () => {
    const { edge, peer, name, visit, echo } = await start({})
    const raw = visit()
    expect(await echo(raw)).toBe('!')
    const plain = connectTcp({ port: edge.ports.plain, host: '127.0.0.1' })
    plain.on('error', () => {})
    plain.write(`GET / HTTP/1.1\r\nhost: o-5.${name}\r\n\r\n`)
    await once(plain, 'data')
    edge.edge.apply({ names: {}, blocked: [`o-5.${name}`] })
    await closed(plain)
    expect(await echo(raw)).toBe('!')
    edge.edge.apply({ names: {}, blocked: [peer.provider] })
    await Promise.all([closed(raw), peer.isClosed()])
    expect(await echo(visit())).toBe(BUSY)
    const again = await dialBack(edge, { account: peer.account })
    await again.hello()
    expect(await again.next('refused')).toMatchObject({ code: 'blocked' })
  })

  it('are cut off from their agent too, where they had nothing more to say', async () => {
    const served = Promise.withResolvers<Socket>()
    const { edge, peer, visit } = await start({}, { serve: served.resolve })
    const socket = visit()
    socket.end('and now?')
    const ofAgent = await served.promise
    await once(ofAgent.resume(), 'end')
    edge.edge.apply({ names: {}, blocked: [peer.provider] })
    await closed(socket)
    // It hears of it when it says something: the other direction has ended.
    await vi.waitFor(() => {
      ofAgent.write('nothing')
      expect(ofAgent.destroyed).toBe(true)
    }, SOON)
  })

  it('let a visitor go whose agent does not dial back, and a connection that is open on one side only', async () => {
    const { visit, echo } = await start({ times: { ticketMs: 100 } }, { serve: undefined as never })
    expect(await echo(visit())).toBe(BUSY)
    const half = await start({ times: { halfOpenMs: 100 } }, { serve: (socket) => void socket.resume() })
    const socket = half.visit()
    socket.end('and now?')
    await closed(socket)
  })
})

describe('spare connections', () => {
  it('wait for visitors, are replaced, and may be fewer than visitors', async () => {
    const edge = await startEdge({ limits: { spares: 6 } })
    onTestFinished(() => edge.close())
    const peer = await dialBack(edge, { spares: 10, serve: (socket) => void socket.pipe(socket) })
    onTestFinished(() => peer.close())
    const { rawPort } = await peer.enter()
    const asked = () => peer.received.flatMap((one) => (one.type === 'dial' ? one.tickets : [])).length
    await vi.waitFor(() => expect(asked()).toBe(6), SOON)
    const echo = async () => {
      const socket = connectTcp({ port: rawPort, host: '127.0.0.1' })
      socket.end('hello')
      return text(socket)
    }
    await vi.waitFor(async () => {
      expect(await echo()).toBe('hello')
      expect(await edge.metric('rackfair_edge_visitors_total{kind="raw",connection="spare"}')).toBeGreaterThan(0)
    }, SOON)
    await vi.waitFor(() => expect(asked()).toBeGreaterThan(6), SOON)
    expect(await Promise.all(Array.from({ length: 40 }, echo))).toEqual(Array(40).fill('hello'))
    expect(await edge.metric('rackfair_edge_visitors_total{kind="raw",connection="dialled"}')).toBeGreaterThan(0)
  })

  it('on which an agent speaks first, or that it closes, are replaced without haste', async () => {
    const edge = await startEdge()
    onTestFinished(() => edge.close())
    const peer = await dialBack(edge, { spares: 2 })
    onTestFinished(() => peer.close())
    await peer.enter()
    const tickets = () => peer.received.flatMap((one) => (one.type === 'dial' ? one.tickets : []))
    await vi.waitFor(() => expect(tickets()).toHaveLength(2), SOON)
    const [first, second] = tickets() as [string, string]
    const speaking = peer.dial(first)
    speaking.write('me first')
    const leaving = peer.dial(second)
    leaving.end()
    await Promise.all([speaking, leaving].map(closed))
    await vi.waitFor(() => expect(tickets().length).toBeGreaterThanOrEqual(4), SOON)
  })
})

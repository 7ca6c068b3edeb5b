import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect, createServer } from 'node:tls'
import { expect, it, onTestFinished, vi } from 'vitest'
import { dialBack } from './testing/dialBack.ts'
import { type StartedEdge, startEdge } from './testing/startEdge.ts'

const SOON = { timeout: 60_000, interval: 10 }
/** Longer than any test: what arrives had not to wait for it. */
const NEVER = 100_000

async function start(
  times: NonNullable<Parameters<typeof startEdge>[0]>['times'] = { awayMs: NEVER, nameMs: NEVER, ticketMs: NEVER },
) {
  const edge = await startEdge({ times })
  onTestFinished(() => edge.close())
  const tls = createServer({ ...edge.certificate, allowHalfOpen: true }, (socket) => socket.pipe(socket))
  tls.on('tlsClientError', () => {})
  const echo = (socket: Socket, kind: string) => (kind === 'tls' ? tls.emit('connection', socket) : socket.pipe(socket))
  return {
    edge: { ...edge, echo },
    /** An agent that echoes, unless `serve` does something else. */
    async agent(options: Parameters<typeof dialBack>[1] = {}) {
      const peer = await dialBack(edge, {
        serve: (socket, { kind }) => echo(socket, kind),
        ...options,
      })
      onTestFinished(() => peer.close())
      return { ...peer, ...(await peer.enter()) }
    },
  }
}
type Kind = 'tls' | 'plain' | 'raw'
/** Sends a request, and returns what comes back. */
function visit(edge: StartedEdge, kind: Kind, { name, rawPort }: { name: string; rawPort: number }): Promise<string> {
  const request = `GET / HTTP/1.1\r\nhost: ${name}\r\n\r\n`
  const port = { ...edge.ports, raw: rawPort }[kind]
  const to = { port, host: '127.0.0.1', allowHalfOpen: true }
  const socket = kind === 'tls' ? connect({ ...to, servername: name, rejectUnauthorized: false }) : connectTcp(to)
  onTestFinished(() => void socket.destroy())
  socket.end(request)
  return text(socket).then(
    (answer) => (answer === request ? 'served' : answer.slice(0, 12)),
    (error: NodeJS.ErrnoException) => error.code ?? 'broken',
  )
}
/** Until the agent has been told to dial so many. */
const asked = (peer: { received: { type: string; tickets?: string[] }[] }, count: number) =>
  vi.waitFor(() => expect(peer.received.flatMap(({ tickets = [] }) => tickets).length).toBeGreaterThanOrEqual(count), SOON)

it('gives a visitor another connection when its spare breaks before an answer, and one who may have been heard none', async () => {
  const { edge, agent } = await start()
  let isNextBroken = true
  const heard: string[] = []
  const peer = await agent({
    spares: 1,
    serve(socket, { kind }) {
      heard.push(kind)
      if (isNextBroken) socket.resetAndDestroy()
      else edge.echo(socket, kind)
      isNextBroken = false
    },
  })
  /** With the spare, once it is ready. */
  await vi.waitFor(async () => {
    isNextBroken = true
    expect(await visit(edge, 'tls', peer)).toBe('served')
  }, SOON)
  for (const kind of ['plain', 'raw'] as const) {
    isNextBroken = true
    heard.length = 0
    expect(await visit(edge, kind, peer)).not.toBe('served')
    expect(heard).toEqual([kind])
  }
})

it.each(['tls', 'plain', 'raw'] as const)(
  'dials anew for a %s visitor who waits for an agent that has come anew since',
  async (kind) => {
    const { edge, agent } = await start()
    const lost = await agent({ serve: undefined as never })
    const page = visit(edge, kind, lost)
    await asked(lost, 1)
    await agent({ account: lost.account })
    expect(await page).toBe('served')
  },
)

it('moves a visitor whose connection of a lost agent is silent, to the agent that has come anew', async () => {
  const { edge, agent } = await start()
  const reached = Promise.withResolvers<void>()
  const lost = await agent({ spares: 1, serve: () => reached.resolve() })
  await asked(lost, 1)
  const page = visit(edge, 'tls', lost)
  await reached.promise
  const found = await agent({ account: lost.account })
  expect(await page).toBe('served')
  // Who is served stays: a connection of its own does not need the other.
  const socket = connect({ port: edge.ports.tls, host: '127.0.0.1', servername: found.name, rejectUnauthorized: false })
  onTestFinished(() => void socket.destroy())
  socket.write('before')
  await once(socket, 'data')
  await agent({ account: lost.account })
  socket.end('after')
  expect(await text(socket)).toBe('after')
})

it.each(['tls', 'plain'] as const)('lets a %s visitor wait a moment for an agent that is away', async (kind) => {
  const { edge, agent } = await start()
  const before = await agent()
  before.close()
  await vi.waitFor(async () => expect(await edge.metric('rackfair_edge_agents')).toBe(0), SOON)
  const page = visit(edge, kind, before)
  await agent({ account: before.account })
  expect(await page).toBe('served')
})

it('says at last that an agent is away, or silent', async () => {
  const { edge, agent } = await start({ awayMs: 50, ticketMs: 50 })
  const peer = await agent({ serve: undefined as never })
  expect(await visit(edge, 'plain', peer)).toBe('HTTP/1.1 503')
  expect(await edge.metric('rackfair_edge_refused_total{reason="silent_agent"}')).toBe(1)
  peer.close()
  await vi.waitFor(async () => expect(await edge.metric('rackfair_edge_agents')).toBe(0), SOON)
  expect(await visit(edge, 'plain', peer)).toBe('HTTP/1.1 503')
  expect(await edge.metric('rackfair_edge_refused_total{reason="away"}')).toBe(1)
})

it('cuts a visitor who waits for an answer, with the connection of its agent', async () => {
  const { edge, agent } = await start()
  const reached = Promise.withResolvers<Socket>()
  const peer = await agent({ serve: reached.resolve })
  const page = visit(edge, 'tls', peer)
  const ofAgent = await reached.promise
  edge.edge.apply({ names: {}, blocked: [peer.provider] })
  await new Promise((resolve) => ofAgent.resume().once('close', resolve))
  expect(await page).not.toBe('served')
})

import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { freePort } from '@rackfair/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type StartedEdge, startEdge } from '../../../../edge/src/testing/startEdge.ts'
import { sayingLog } from '../../foundation/log.ts'
import { setupGateway } from '../../testing/setupGateway.ts'
import { startEchoApp } from '../../testing/startEchoApp.ts'
import { openEdges } from './openEdges.ts'

const SOON = { timeout: 20_000, interval: 10 }

const NO_DOMAINS = { orderOf: () => undefined, came: () => {}, said: () => {} }

describe('a gateway that nobody can reach but through an edge', () => {
  let edge: StartedEdge
  let app: Awaited<ReturnType<typeof startEchoApp>>
  beforeAll(async () => {
    app = await startEchoApp()
    edge = await startEdge()
  })
  afterAll(async () => {
    await edge.close()
    await app.close()
  })
  const cleanUp: (() => unknown)[] = []
  afterEach(async () => {
    for (const one of cleanUp.splice(0).reverse()) await one()
  })

  /** A gateway whose address is the raw port of the edge. */
  const setup = async (change: Partial<Parameters<typeof setupGateway>[0]> = {}, spares = 4) => {
    const door = await setupGateway(change)
    cleanUp.push(() => door.close())
    door.put(1n, { appPort: app.port })
    const said: [string, Record<string, unknown>][] = []
    const edges = await openEdges({
      config: {
        chainId: 2985,
        provider: door.operator.address.toLowerCase(),
        gateway: {
          edges: [{ host: '127.0.0.1', port: edge.ports.control, fingerprint: edge.certificate.fingerprint, spares }],
          port: 1,
        },
      } as never,
      account: door.operator,
      log: sayingLog((message, facts = {}) => said.push([message, facts])),
      ...{ receive: door.receive, data: '', isLive: () => true, domains: NO_DOMAINS },
    })
    cleanUp.push(() => edges.close())
    const welcome = await vi.waitFor(() => {
      const found = said.find(([message]) => message === 'an edge sends visitors')?.[1] as
        | { name: string; rawPort: number }
        | undefined
      if (!found) throw new Error(JSON.stringify(said))
      return found
    }, SOON)
    return { door, edges, said, ...welcome, origin: `http://127.0.0.1:${welcome.rawPort}` }
  }
  const cookieOf = async (origin: string, link: string) => {
    const entry = await fetch(link.replace(/^http:\/\/[^/]+/, origin), { redirect: 'manual' })
    return {
      location: entry.headers.get('location'),
      cookie: entry.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; '),
    }
  }

  it('serves the Visit link, pages and WebSockets at the raw port, as at its own', async () => {
    const { door, origin } = await setup()
    const { location, cookie } = await cookieOf(origin, door.link(1n))
    expect(location).toBe('/')
    const page = await fetch(`${origin}/hello`, { headers: { cookie } })
    expect(await page.json()).toMatchObject({ url: '/hello' })
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/socket`, { headers: { cookie } })
    await once(socket, 'open')
    socket.send('through the edge')
    expect(String((await once(socket, 'message'))[0])).toContain('through the edge')
    socket.terminate()
    expect((await fetch(`${origin}/.rackfair/agent?challenge=${'ab'.repeat(32)}`)).status).toBe(200)
  })

  it('knows each visitor by its own address: what one uses up, others have', async () => {
    const { door, rawPort } = await setup({ maxConnections: 40 })
    const ask = async (localAddress: string, challenge = 'ab'.repeat(32)) => {
      const socket = connect({ port: rawPort, host: '127.0.0.1', localAddress })
      onTestFinished(() => void socket.destroy())
      socket.write(
        `GET /.rackfair/agent?challenge=${challenge} HTTP/1.1\r\nhost: 127.0.0.1:${rawPort}\r\nconnection: close\r\n\r\n`,
      )
      return Number((await text(socket)).split(' ')[1])
    }
    const flood = await Promise.all(Array.from({ length: 14 }, () => ask('127.0.0.31')))
    expect(flood).toContain(429)
    expect(await ask('127.0.0.32')).toBe(200)
    expect(door.port).not.toBe(rawPort)
    // What the application is told.
    const echo = createServer((request, response) => void response.end(JSON.stringify(request.headers))).listen(0, '127.0.0.1')
    cleanUp.push(() => echo.close())
    await once(echo, 'listening')
    door.put(1n, { appPort: (echo.address() as AddressInfo).port })
    const { cookie } = await cookieOf(`http://127.0.0.1:${rawPort}`, door.link(1n))
    const socket = connect({ port: rawPort, host: '127.0.0.1', localAddress: '127.0.0.33' })
    socket.write(
      `GET /headers HTTP/1.1\r\nhost: 127.0.0.1:${rawPort}\r\ncookie: ${cookie}\r\nx-forwarded-for: 10.0.0.1\r\nconnection: close\r\n\r\n`,
    )
    const answer = await text(socket)
    expect(answer).toContain('127.0.0.33')
    expect(answer).not.toContain('10.0.0.1')
  })

  it('leads from plain names to TLS, and nowhere else', async () => {
    const { name } = await setup()
    const ask = async (host: string) => {
      const socket = connect(edge.ports.plain, '127.0.0.1')
      socket.write(`GET /path?x=1 HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
      return text(socket)
    }
    expect(await ask(`o-1.${name}`)).toContain(`location: https://o-1.${name}:${edge.ports.tls}/path?x=1\r\n`)
    expect(await ask('elsewhere.example')).toContain(' 503 ')
  })

  it('comes back by itself when the edge was away, and keeps to the edge of its certificate', async () => {
    const own = await startEdge()
    const port = await freePort()
    const { control: _, ...rest } = own.ports
    await own.close()
    const said: string[] = []
    const door = await setupGateway()
    cleanUp.push(() => door.close())
    const open = async (fingerprint: string) => {
      const edges = await openEdges({
        config: {
          ...{ chainId: 2985, provider: door.operator.address.toLowerCase() },
          gateway: { edges: [{ host: '127.0.0.1', port, fingerprint, spares: 1 }], port: 1 },
        } as never,
        account: door.operator,
        log: sayingLog((message) => said.push(message)),
        ...{ receive: door.receive, data: '', isLive: () => true, domains: NO_DOMAINS },
      })
      cleanUp.push(() => edges.close())
    }
    const first = await startEdge({ ports: { control: port, dial: rest.dial, tls: 0, plain: 0 } })
    await open(first.certificate.fingerprint)
    await open('00'.repeat(32))
    await vi.waitFor(() => expect(said).toContain('an edge sends visitors'), SOON)
    await vi.waitFor(() => expect(said.join()).toContain('another certificate'), SOON)
    const { certificate } = first
    await first.close()
    await vi.waitFor(() => expect(said).toContain('an edge cannot be reached'), SOON)
    said.length = 0
    const second = await startEdge({ ports: { control: port, dial: 0, tls: 0, plain: 0 }, certificate })
    cleanUp.push(() => second.close())
    await vi.waitFor(() => expect(said).toContain('an edge sends visitors'), SOON)
  })
})

import { once } from 'node:events'
import { type ClientRequest, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { setupGateway } from '../../testing/setupGateway.ts'
import { createAdmission } from './createAdmission.ts'

const HOST = 'o-1.node.example'
const PLACES_OF_A_VISITOR = 64
const PLACES_OF_AN_ORDER = 512
const ASKED_AT_ONCE = 256
/** A window in which an honest visitor sends several times, each time enough: a busy machine may send once. */
const PACE = { windowMs: 2000, leastBytes: 10_000 }

const visitors = (name: (index: number) => string) => Array.from({ length: PLACES_OF_A_VISITOR }, (_, index) => name(index))

describe('admission to an application', () => {
  const cleanUp: (() => void)[] = []
  afterEach(() => {
    for (const one of cleanUp.splice(0).reverse()) one()
  })

  it('gives each visitor 64 slots, whatever names they claim, and keeps others unaffected', async () => {
    const { hold, ask, held } = await setup({ tls: true })
    await hold(visitors(() => '203.0.113.1'))
    const refused = await ask({ 'x-forwarded-for': 'made-up, 203.0.113.1', 'accept-language': 'zh' })
    expect([refused.status, refused.headers['retry-after'], refused.text.includes('同时请求过多')]).toEqual([503, '5', true])
    expect((await ask({ 'x-forwarded-for': '203.0.113.1, 203.0.113.2' })).status).toBe(200)
    for (const response of held.splice(0)) response.end()
    await expect.poll(async () => (await ask({ 'x-forwarded-for': '203.0.113.1' })).status).toBe(200)
  })

  it('counts an IPv6 network as one visitor, and ignores forwarded addresses without a proxy', async () => {
    const proxied = await setup({ tls: true })
    await proxied.hold(visitors((index) => `2001:db8::${index.toString(16)}`))
    expect((await proxied.ask({ 'x-forwarded-for': '2001:db8:0:0:9:9:9:9' })).status).toBe(503)
    expect((await proxied.ask({ 'x-forwarded-for': '2001:db8:0:1::1' })).status).toBe(200)
    const open = await setup({})
    await open.hold(visitors((index) => `203.0.113.${index}`))
    expect((await open.ask({ 'x-forwarded-for': '198.51.100.1' })).status).toBe(503)
  })

  it('admits or queues 512, refuses more even after queued ones left, and resumes once there is room', async () => {
    const { hold, ask, held, refused, leave } = await setup({ tls: true })
    const anybody = (many: number) => Array<undefined>(many).fill(undefined)
    await hold(anybody(PLACES_OF_AN_ORDER + 8), ASKED_AT_ONCE)
    await expect.poll(() => refused.length).toBe(8)
    await leave((name) => held.every((response) => response.req.headers['x-name'] !== name))
    await hold(anybody(8), 0)
    await expect.poll(() => refused).toEqual(Array(16).fill(503))
    const answering = setInterval(() => held.splice(0).map((response) => response.end()), 20)
    cleanUp.push(() => clearInterval(answering))
    await expect.poll(async () => (await ask({})).status).toBe(200)
  })

  it('drops an upload that trickles, but not a slow one', async () => {
    const { door, gone } = await setup({}, PACE)
    const put = (bytes: number, everyMs: number) => {
      const socket = connect(door.port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(`PUT /hold HTTP/1.1\r\nhost: ${HOST}:${door.port}\r\ncontent-length: 100000000\r\n\r\n`)
      const drip = setInterval(() => socket.write(Buffer.alloc(bytes)), everyMs)
      socket.once('close', () => clearInterval(drip))
      return socket
    }
    const honest = put(20_000, 500)
    const hostile = put(1, 50)
    // It may be closed by a reset, which events.once() would take for a failure.
    await new Promise((resolve) => hostile.once('close', resolve))
    await gone()
    await new Promise((resolve) => setTimeout(resolve, 2 * PACE.windowMs))
    expect(honest.destroyed).toBe(false)
    honest.destroy()
  })

  it('drops a visitor who stops reading, but not one who waits for a slow application', async () => {
    const { door, gone, held } = await setup({}, PACE)
    const get = (path: string) => {
      const socket = connect(door.port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(`GET ${path} HTTP/1.1\r\nhost: ${HOST}:${door.port}\r\n\r\n`)
      return socket
    }
    const waiting = get('/hold')
    let heard = ''
    waiting.on('data', (chunk) => {
      heard += chunk
    })
    await expect.poll(() => held.length).toBe(1)
    const hostile = get('/endless').pause()
    await gone()
    hostile.destroy()
    const [slowly] = held
    for (let count = 0; count < 20; count += 1) {
      slowly?.write(`data: ${count}\n\n`)
      await new Promise((resolve) => setTimeout(resolve, PACE.windowMs / 8))
    }
    slowly?.end('at last')
    await expect.poll(() => heard).toContain('at last')
    waiting.destroy()
  })

  it('drops a visitor who stops reading an early response to an upload', async () => {
    const admission = createAdmission({ pace: { windowMs: 100, leastBytes: 10_000 } })
    const { promise: dropped, resolve } = Promise.withResolvers<void>()
    const server = createServer(async (request, response) => {
      request.socket.once('close', resolve)
      admission.admit(1n, request, response)
      response.write(Buffer.alloc(2 ** 26))
      for await (const _ of request) break
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    const visitor = connect(port, '127.0.0.1').pause()
    cleanUp.push(() => {
      visitor.destroy()
      server.close()
      admission.close()
    })
    visitor.on('error', () => {})
    visitor.write('PUT / HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\nbegun')
    await dropped
  })

  it('accepts clients that offer a protocol upgrade', async () => {
    const { ask } = await setup({})
    const offer = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' }
    for (const body of ['', 'a body']) {
      const answer = await ask(offer, body)
      expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { upgrade: null, settings: null, body }])
    }
  })

  /** A gateway in front of an application that holds requests to `/hold`, and streams `/endless` forever. */
  async function setup(config: { tls?: boolean }, pace?: { windowMs: number; leastBytes: number }) {
    const held: ServerResponse[] = []
    let left = 0
    const app = createServer(async (request, response) => {
      if (request.url === '/hold') {
        held.push(response)
        request.resume().on('error', () => {})
      } else if (request.url === '/endless') {
        const chunk = Buffer.alloc(2 ** 16)
        const more = () => {
          while (!response.destroyed && response.write(chunk));
        }
        response.on('drain', more)
        more()
      } else {
        const { upgrade = null, 'http2-settings': settings = null } = request.headers
        response.end(JSON.stringify({ upgrade, settings, body: String(Buffer.concat(await request.toArray())) }))
      }
      response.once('close', () => {
        left += 1
      })
    })
    await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
    const door = await setupGateway({ config: { domain: 'node.example', ...config }, ...(pace ? { pace } : {}) })
    door.put(1n, { appPort: (app.address() as AddressInfo).port })
    cleanUp.push(() => {
      app.closeAllConnections()
      app.close()
      void door.close()
    })
    const send = (path: string, headers: Record<string, string>, body = '') => {
      const options = { port: door.port, path, method: body ? 'POST' : 'GET', agent: false }
      const asked = httpRequest({ ...options, headers: { ...headers, host: `${HOST}:${door.port}` } })
      asked.end(body)
      return asked
    }
    const holding = new Map<string, ClientRequest>()
    const refused: (number | undefined)[] = []
    return {
      door,
      held,
      /** Statuses of requests that were held but not admitted. */
      refused,
      /** Waits until one visitor has left the application. */
      gone: () => expect.poll(() => left).toBe(1),
      async ask(headers: Record<string, string>, body = '') {
        const [answer] = (await once(send('/', headers, body), 'response')) as [IncomingMessage]
        return { status: answer.statusCode, headers: answer.headers, text: String(Buffer.concat(await answer.toArray())) }
      },
      /** Starts one request for each of these visitors; `atOnce` of them reach the application. */
      async hold(who: (string | undefined)[], atOnce = who.length) {
        const before = held.length
        for (const visitor of who) {
          const name = String(holding.size)
          const asked = send('/hold', { 'x-name': name, ...(visitor ? { 'x-forwarded-for': visitor } : {}) })
          holding.set(
            name,
            asked.on('error', () => {}),
          )
          asked.once('response', (answer) => refused.push(answer.resume().statusCode))
        }
        await expect.poll(() => held.length).toBe(before + atOnce)
      },
      /** Aborts the held requests whose name matches. */
      async leave(isOne: (name: string) => boolean) {
        const leaving = [...holding].filter(([name, asked]) => isOne(name) && !asked.destroyed).map(([, asked]) => asked)
        await Promise.all(leaving.map((asked) => new Promise((resolve) => asked.destroy().once('close', resolve))))
      },
    }
  }
})

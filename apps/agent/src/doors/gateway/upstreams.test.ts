import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setupGateway } from '../../testing/setupGateway.ts'

const ORDER = 1n
const KEY = Buffer.alloc(16).toString('base64')

describe('upstream connections of the gateway', () => {
  let door: Awaited<ReturnType<typeof setupGateway>>
  let appPort: number
  let answer: (request: IncomingMessage, response: ServerResponse) => void
  const connections = new Set<unknown>()
  const app = createServer((request, response) => {
    connections.add(request.socket)
    answer(request, response)
  })

  beforeAll(async () => {
    await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
    appPort = (app.address() as AddressInfo).port
    door = await setupGateway({ ownPorts: true })
    started('first')
    await door.enter(ORDER)
  })
  afterAll(async () => {
    await door.close()
    app.closeAllConnections()
    app.close()
  })

  const started = (start: string) => door.put(ORDER, { appPort, upstream: { address: '127.0.0.1', start } })
  const ask = (path = '/', init: RequestInit = {}) => fetch(`${door.originOf(ORDER)}${path}`, init)

  it('are reused between requests, but not after a restart of the container', async () => {
    answer = (_, response) => response.end('here')
    connections.clear()
    for (let count = 0; count < 5; count += 1) expect(await (await ask()).text()).toBe('here')
    expect(connections.size).toBe(1)
    started('second')
    expect(await (await ask()).text()).toBe('here')
    expect(connections.size).toBe(2)
  })

  it('are dropped when their container is gone, even by a waiting request', async () => {
    const asked = new Promise<void>((resolve) => {
      answer = () => resolve()
    })
    const waiting = ask('/never')
    await asked
    started('third')
    expect((await waiting).status).toBe(503)
  })

  it('forward the headers of a stream before its first event, and close it when the visitor leaves', async () => {
    let left: Promise<void> | undefined
    answer = (request, response) => {
      left = new Promise((resolve) => request.socket.once('close', () => resolve()))
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
    }
    const visitor = new AbortController()
    const stream = await ask('/events', { signal: visitor.signal })
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    visitor.abort()
    await left
  })

  it('wait indefinitely for the application, but not for a silent visitor', async () => {
    const idleMs = 1000
    const patient = await setupGateway({ idleMs })
    patient.put(ORDER, { appPort })
    const cookie = await patient.enter(ORDER)
    const visitor = () => {
      const socket = connect(patient.port, '127.0.0.1')
      let text = ''
      socket
        .on('error', () => {})
        .on('data', (chunk) => {
          text += chunk
        })
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
      const ask = (line: string) => socket.write(`${line} HTTP/1.1\r\nhost: 127.0.0.1:${patient.port}\r\ncookie: ${cookie}\r\n`)
      return { ask, closed, socket, text: () => text }
    }
    answer = (_, response) => {
      setTimeout(() => response.writeHead(200).write('thinking'), 1.5 * idleMs)
      setTimeout(() => response.end('done'), 3 * idleMs)
    }
    const silent = visitor()
    silent.ask('GET /')
    await silent.closed
    const served = visitor()
    served.ask('GET /')
    served.socket.write('\r\n')
    await expect.poll(served.text).toMatch(/200 OK.*thinking.*done.*0\r\n\r\n$/s)
    // The same connection, with a request that no application accepts.
    served.ask('POST /.rackfair/sign-in')
    served.socket.write('content-length: 9\r\n\r\n{')
    await served.closed
    await patient.close()
  })

  it('forward the client address and host name, but no hop-by-hop headers', async () => {
    let seen: IncomingMessage['headers'] = {}
    answer = (request, response) => {
      seen = request.headers
      response.writeHead(200, { connection: 'close, x-secret', 'x-secret': '1', 'keep-alive': 'timeout=1', 'x-kept': '1' }).end()
    }
    const own = new URL(door.originOf(ORDER))
    const headers = {
      connection: 'keep-alive, x-hop',
      'x-hop': '1',
      te: 'trailers',
      'x-forwarded-for': '198.51.100.7',
      'x-end': '1',
    }
    const back = await new Promise<IncomingMessage>((resolve, reject) => {
      httpRequest(own, { headers }, (response) => resolve(response.resume()))
        .on('error', reject)
        .end()
    })
    expect(seen).toMatchObject({
      host: own.host,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-end': '1',
    })
    expect([seen['x-hop'], seen.te, back.headers['x-secret'], back.headers['x-kept']]).toEqual([
      undefined,
      undefined,
      undefined,
      '1',
    ])
  })

  it('name the visitor and the address that was asked, whatever the visitor says, unless a proxy with TLS does', async () => {
    const claims = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    const more = {
      forwarded: 'for=203.0.113.9',
      'x-real-ip': '203.0.113.9',
      'x-forwarded-prefix': '/x',
      x_forwarded_for: '203.0.113.9',
    }
    const said: Record<string, string>[] = []
    answer = ({ headers }, response) => {
      said.push(
        Object.fromEntries(Object.entries(headers).filter(([name]) => /forwarded|real/.test(name))) as Record<string, string>,
      )
      response.end()
    }
    const proxied = await setupGateway({ config: { tls: true, domain: 'node.example' } })
    proxied.put(ORDER, { appPort })
    for (const one of [door, proxied]) {
      const host = one === door ? new URL(door.originOf(ORDER)).host : `o-1.node.example:${proxied.port}`
      const port = one === door ? Number(new URL(door.originOf(ORDER)).port) : proxied.port
      for (const upgrade of [
        {},
        { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-key': KEY, 'sec-websocket-version': '13' },
      ])
        await new Promise<void>((resolve, reject) => {
          const headers = { host, ...claims, ...more, ...upgrade }
          httpRequest({ host: '127.0.0.1', port, headers }, (got) => got.resume().once('end', () => resolve()))
            .on('error', reject)
            .end()
        })
      const isProxied = one === proxied
      const expected = {
        'x-forwarded-for': isProxied ? '203.0.113.9, 127.0.0.1' : '127.0.0.1',
        'x-forwarded-proto': isProxied ? 'https' : 'http',
        'x-forwarded-host': host,
      }
      expect(said.splice(0)).toEqual([expected, expected])
    }
    await proxied.close()
  })

  it('forward repeated headers and cookies in any form', async () => {
    const cookiesOf = async (...lines: string[]) => {
      answer = (_, response) => response.writeHead(200, { 'set-cookie': lines }).end('done')
      const back = await ask('/login', { method: 'POST', body: 'x' })
      return [back.status, ...back.headers.getSetCookie()]
    }
    expect(await cookiesOf('app=1; Path=/')).toEqual([200, 'app=1; Path=/'])
    expect(await cookiesOf('app=1', 'b=2', 'rackfair_visit=9.x')).toEqual([200, 'app=1', 'b=2'])
    expect(await cookiesOf('rackfair_owner_1=x')).toEqual([200])
    expect(await cookiesOf('=rackfair_owner_1=x')).toEqual([200])
    answer = ({ socket }) => {
      const lines = [
        'HTTP/1.1 200 OK',
        'connection: close',
        'connection: x-secret',
        'x-secret: 1',
        'x-kept: 1',
        'content-length: 4',
      ]
      socket.end(`${lines.join('\r\n')}\r\n\r\ndone`)
    }
    const back = await ask()
    expect([back.status, back.headers.get('x-secret'), back.headers.get('x-kept')]).toEqual([200, null, '1'])
  })

  it('remove the gateway’s cookies from a WebSocket response, accepted or refused', async () => {
    const upgraded = async (path: string) => {
      const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': KEY }
      return new Promise<IncomingMessage>((resolve, reject) => {
        httpRequest(`${door.originOf(ORDER)}${path}`, { headers }, (response) => resolve(response.resume()))
          .on('upgrade', (response, socket) => {
            socket.destroy()
            resolve(response)
          })
          .on('error', reject)
          .end()
      })
    }
    const cookies = 'set-cookie: rackfair_owner_1=x\r\nset-cookie: app=1\r\n'
    app.once('upgrade', (_, socket) => {
      socket.end(`HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n${cookies}\r\n`)
    })
    const opened = await upgraded('/open')
    app.once('upgrade', (_, socket) => {
      socket.end(`HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n${cookies}\r\n`)
    })
    const refused = await upgraded('/refused')
    for (const response of [opened, refused]) expect(response.headers['set-cookie']).toEqual(['app=1'])
    expect([opened.statusCode, refused.statusCode]).toEqual([101, 403])
  })

  it('forward methods, bodies of unknown length and empty responses unchanged', async () => {
    answer = (request, response) => {
      if (request.method === 'DELETE') response.writeHead(204).end()
      else request.pipe(response)
    }
    expect((await ask('/', { method: 'DELETE' })).status).toBe(204)
    expect((await ask('/', { method: 'HEAD' })).status).toBe(200)
    const body = new Blob(['streamed']).stream()
    expect(await (await ask('/', { method: 'POST', body, duplex: 'half' } as RequestInit)).text()).toBe('streamed')
    const patient = { method: 'POST', headers: { expect: '100-continue', 'content-length': '4' } }
    const echoed = await new Promise<IncomingMessage>((resolve, reject) => {
      const asked = httpRequest(door.originOf(ORDER), patient, resolve)
      asked.once('continue', () => asked.end('late')).on('error', reject)
      asked.flushHeaders()
    })
    expect(String(await echoed.toArray())).toBe('late')
  })
})

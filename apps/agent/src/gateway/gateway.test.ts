import { createServer, request as httpRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { formatGatewayProof } from '@rackfair/core'
import { freePort } from '@rackfair/testkit'
import { recoverMessageAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { setupGateway } from '../testing/setupGateway.ts'

describe('the gateway', () => {
  let door: Awaited<ReturnType<typeof setupGateway>>
  let app: Awaited<ReturnType<typeof startApp>>

  beforeAll(async () => {
    app = await startApp()
    door = await setupGateway()
  })
  afterAll(async () => {
    await door.close()
    await app.close()
  })

  it('answers the Visit link with a cookie and the way to the application, never with the application itself', async () => {
    door.put(1n, { appPort: app.port })
    const entry = await fetch(door.link(1n), { redirect: 'manual' })
    expect(entry.status).toBe(302)
    expect(entry.headers.get('location')).toBe('/')
    expect(entry.headers.getSetCookie()[0]).toMatch(/^rackfair_visit=1\..+; Path=\/; HttpOnly; SameSite=Lax/)
    const page = await fetch(`${door.origin}/hello?x=1`, { headers: { cookie: await door.enter(1n) } })
    expect(await page.json()).toMatchObject({ url: '/hello?x=1' })
  })

  it('says in plain words what is wrong with a link', async () => {
    door.put(1n, { appPort: app.port })
    expect((await fetch(door.link(404n))).status).toBe(404)
    expect((await fetch(door.link(1n, '0x0000000000000000000000000000000000000001'))).status).toBe(403)
    expect((await fetch(`${door.origin}/?OrderId=1%00&UserAddress=x`)).status).toBe(404)
    expect((await fetch(`${door.origin}/?OrderId=99999999999999999999999&UserAddress=x`)).status).toBe(404)
    expect((await fetch(`${door.origin}/`)).status).toBe(404)
    expect(await (await fetch(`${door.origin}/`)).text()).toContain('lang="zh"')
  })

  it('shows a friendly page while the application starts, when it failed, when it is gone or does not answer', async () => {
    door.put(2n, { appPort: app.port })
    const cookie = await door.enter(2n)
    const look = async (phase: 'Starting' | 'Failed' | 'Cleaning') => {
      door.put(2n, { appPort: app.port, phase, code: 'start_failed' })
      return fetch(`${door.origin}/`, { headers: { cookie } })
    }
    const starting = await look('Starting')
    expect([starting.status, starting.headers.get('retry-after')]).toEqual([503, '2'])
    const failed = await look('Failed')
    expect([failed.status, (await failed.text()).includes('start_failed')]).toEqual([502, true])
    expect((await look('Cleaning')).status).toBe(410)
    door.put(2n, { appPort: await freePort() })
    expect((await fetch(`${door.origin}/`, { headers: { cookie } })).status).toBe(503)
    door.visits.delete(2n)
    expect((await fetch(`${door.origin}/`, { headers: { cookie } })).status).toBe(410)
  })

  it('proves whose agent it is to whoever asks, a few times a second', async () => {
    const ask = (challenge: string) => fetch(`${door.origin}/.rackfair/agent?challenge=${challenge}`)
    const challenge = 'ab'.repeat(32)
    const proof = (await (await ask(challenge)).json()) as { operator: string; signature: `0x${string}` }
    const message = formatGatewayProof({ chainId: 2985, provider: door.provider, challenge })
    expect(await recoverMessageAddress({ message, signature: proof.signature })).toBe(door.operator.address)
    expect(proof.operator).toBe(door.operator.address.toLowerCase())
    expect((await ask('rackfair deploy')).status).toBe(400)
    const many = await Promise.all(Array.from({ length: 20 }, () => ask(challenge)))
    expect(many.map((answer) => answer.status)).toContain(429)
  })

  it('keeps its cookies from the application, and the application from its cookies', async () => {
    door.put(1n, { appPort: app.port })
    const page = await fetch(`${door.origin}/set-cookies`, { headers: { cookie: `${await door.enter(1n)}; mine=1` } })
    expect(await page.json()).toMatchObject({ cookie: 'mine=1' })
    expect(page.headers.getSetCookie()).toEqual(['app=1'])
  })

  it('clears what the last order stored in the browser, and refuses service workers on the shared origin', async () => {
    door.put(1n, { appPort: app.port })
    door.put(3n, { appPort: app.port })
    const cookie = await door.enter(1n)
    const next = await fetch(door.link(3n), { redirect: 'manual', headers: { cookie } })
    expect(next.headers.get('clear-site-data')).toBe('"cache", "storage"')
    expect((await fetch(`${door.origin}/sw.js`, { headers: { cookie, 'service-worker': 'script' } })).status).toBe(403)
  })

  it('takes no forged cookie for a visit', async () => {
    const cookie = (await door.enter(1n)).replace('=1.', '=3.')
    expect((await fetch(`${door.origin}/`, { headers: { cookie } })).status).toBe(404)
  })

  it('passes WebSockets on', async () => {
    door.put(1n, { appPort: app.port })
    const socket = new WebSocket(`ws://127.0.0.1:${door.port}/echo`, { headers: { cookie: await door.enter(1n) } })
    const echoed = await new Promise<string>((resolve, reject) => {
      socket.once('open', () => socket.send('over and back'))
      socket.once('message', (data) => resolve(String(data)))
      socket.once('error', reject)
    })
    expect(echoed).toBe('over and back')
    socket.terminate()
  })

  it('streams an upload of any size in constant memory', async () => {
    door.put(1n, { appPort: app.port })
    const bytes = (process.env.RACKFAIR_DEEP === '1' ? 1024 : 256) * 2 ** 20
    const cookie = await door.enter(1n)
    globalThis.gc?.()
    const before = process.memoryUsage().rss
    const answer = await upload(door.port, cookie, bytes)
    expect(answer).toBe(`received ${bytes}`)
    const grownMb = (process.memoryUsage().rss - before) / 2 ** 20
    console.log(`upload of ${bytes / 2 ** 20} MB: the process grew by ${grownMb.toFixed(0)} MB`)
    expect(grownMb).toBeLessThan(160)
  })

  it('does not wait for a client that never finishes its headers', async () => {
    const socket = connect(door.port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n')
    const drip = setInterval(() => socket.write('x-slow: 1\r\n'), 1000)
    const answer = await new Promise<string>((resolve) => {
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve(text))
    })
    clearInterval(drip)
    expect(answer).toContain('408 Request Timeout')
  })

  it('refuses headers without measure and stays up through garbage', async () => {
    expect(await raw(door.port, `GET / HTTP/1.1\r\nhost: x\r\nx-big: ${'a'.repeat(20_000)}\r\n\r\n`)).toContain('431')
    expect(await raw(door.port, '\x16\x03\x01\x02\x00\x01\x00 what is this\r\n\r\n')).toContain('400')
    expect(
      await raw(door.port, 'GET / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'),
    ).toContain('400')
    expect((await fetch(`${door.origin}/healthz`)).status).toBe(200)
  })

  it('gives every order a port of its own where a range is given', async () => {
    const from = await freePort()
    const own = await setupGateway({ config: { portRange: [from - 7, from + 100] } })
    own.put(7n, { appPort: app.port })
    const entry = await fetch(own.link(7n), { redirect: 'manual' })
    expect(entry.headers.get('location')).toBe(`http://127.0.0.1:${from}/.rackfair/enter?order=7`)
    const page = await fetch(entry.headers.get('location') as string)
    expect(await page.json()).toMatchObject({ url: '/' })
    expect((await fetch(`http://127.0.0.1:${from}/other`)).status).toBe(200)
    await own.close()
  })

  it('gives every order a name of its own where a domain is given', async () => {
    const own = await setupGateway({ config: { domain: 'node.example' } })
    own.put(8n, { appPort: app.port })
    const entry = await fetch(own.link(8n), { redirect: 'manual' })
    expect(entry.headers.get('location')).toBe(`http://o-8.node.example:${own.port}/`)
    expect(await raw(own.port, `GET /x HTTP/1.1\r\nhost: o-8.node.example:${own.port}\r\nconnection: close\r\n\r\n`)).toContain(
      '"url":"/x"',
    )
    expect(await raw(own.port, `GET /x HTTP/1.1\r\nhost: o-9.node.example\r\nconnection: close\r\n\r\n`)).toContain('410')
    await own.close()
  })

  it('passes over the ports of other programs, and shares its origin when none is left', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', () => resolve()))
    const { port } = taken.address() as AddressInfo
    const own = await setupGateway({ config: { portRange: [port, port] } })
    own.put(1n, { appPort: app.port })
    expect((await fetch(own.link(1n), { redirect: 'manual' })).headers.get('location')).toBe('/')
    taken.close()
    await new Promise((resolve) => taken.once('close', resolve))
    expect((await fetch(own.link(1n), { redirect: 'manual' })).headers.get('location')).toContain(`:${port}/`)
    await own.close()
  })
})

describe('a protected application', () => {
  let door: Awaited<ReturnType<typeof setupGateway>>
  let app: Awaited<ReturnType<typeof startApp>>

  beforeAll(async () => {
    app = await startApp()
    door = await setupGateway({ ownPorts: true })
    door.put(5n, { appPort: app.port, access: 'owner' })
  })
  afterAll(async () => {
    await door.close()
    await app.close()
  })

  it('opens to the wallet that owns the order, once per signature, for twelve hours', async () => {
    const cookie = await door.enter(5n)
    const page = (c: string) => fetch(`${door.originOf(5n)}/secret`, { headers: { cookie: c } })
    expect((await page(cookie)).status).toBe(401)
    expect((await fetch(`${door.originOf(5n)}/secret`, { method: 'POST', headers: { cookie } })).status).toBe(401)
    const stranger = await door.signIn(5n, cookie, privateKeyToAccount(generatePrivateKey()))
    expect(stranger.status).toBe(403)
    const session = await door.signIn(5n, cookie)
    expect(session.status).toBe(200)
    expect((await page(session.cookie)).status).toBe(200)
    expect((await session.again()).status).toBe(403)
    door.clock.offset = 12 * 3600 + 1
    expect((await page(session.cookie)).status).toBe(401)
    door.clock.offset = 0
    door.put(5n, { appPort: app.port, access: 'owner', user: '0x0000000000000000000000000000000000000002' })
    expect((await page(session.cookie)).status).toBe(401)
    door.put(5n, { appPort: app.port, access: 'owner' })
  })

  it('lets no other site use its WebSocket', async () => {
    const { cookie } = await door.signIn(5n, await door.enter(5n))
    const open = (headers: Record<string, string>) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(`${door.originOf(5n).replace('http', 'ws')}/echo`, { headers })
        socket.once('open', () => {
          socket.terminate()
          resolve('open')
        })
        socket.once('error', (error) => resolve(error.message))
      })
    expect(await open({ cookie, origin: door.originOf(5n) })).toBe('open')
    expect(await open({ cookie, origin: 'http://evil.example' })).toContain('403')
    expect(await open({ origin: door.originOf(5n), cookie: await door.enter(5n) })).toContain('401')
  })

  it('answers a person who follows a link, and nothing that a page of another origin asks with their cookies', async () => {
    const { cookie } = await door.signIn(5n, await door.enter(5n))
    const ask = (headers: Record<string, string>, method = 'GET') =>
      new Promise<number | undefined>((resolve, reject) => {
        const asked = httpRequest(`${door.originOf(5n)}/secret`, { method, headers: { cookie, ...headers } }, (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        })
        asked.on('error', reject)
        asked.end()
      })
    const neighbour = { 'sec-fetch-site': 'same-site' }
    expect(await ask({ ...neighbour, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' })).toBe(200)
    expect(await ask({ ...neighbour, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' })).toBe(403)
    expect(await ask({ ...neighbour, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' })).toBe(403)
    expect(await ask({ origin: door.origin }, 'POST')).toBe(403)
    expect(await ask({ origin: door.originOf(5n), 'sec-fetch-site': 'same-origin' }, 'POST')).toBe(200)
  })

  it('is not shown on an origin that other tenants share', async () => {
    const shared = await setupGateway()
    shared.put(5n, { appPort: app.port, access: 'owner' })
    const cookie = await shared.enter(5n)
    const page = await fetch(`${shared.origin}/`, { headers: { cookie } })
    expect([page.status, (await page.text()).includes('address of their own')]).toEqual([403, true])
    await shared.close()
  })

  it('leads the owner of a silent application to its terminal, where it has one', async () => {
    const MEFS_USER = 7
    door.put(4n, { deployId: MEFS_USER, appPort: await freePort() })
    const { cookie } = await door.signIn(4n, await door.enter(4n))
    const page = await fetch(`${door.originOf(4n)}/`, { headers: { cookie } })
    expect([page.status, (await page.text()).includes('href="/.rackfair/shell"')]).toEqual([503, true])
    const shell = await fetch(`${door.originOf(4n)}/.rackfair/shell`, { headers: { cookie } })
    expect([shell.status, (await shell.text()).includes('/.rackfair/terminal.js')]).toEqual([200, true])
    expect((await fetch(`${door.originOf(4n)}/.rackfair/shell`, { headers: { cookie: await door.enter(4n) } })).status).toBe(401)
    door.put(1n, { appPort: app.port })
    expect((await fetch(`${door.originOf(1n)}/.rackfair/shell`, { headers: { cookie: await door.enter(1n) } })).status).toBe(404)
  })
})

async function startApp() {
  const server = createServer((request, response) => {
    if (request.method === 'PUT') {
      let size = 0
      request.on('data', (chunk: Buffer) => {
        size += chunk.length
      })
      request.on('end', () => response.end(`received ${size}`))
      return
    }
    if (request.url === '/set-cookies') response.setHeader('set-cookie', ['app=1', 'rackfair_visit=9.x', 'rackfair_owner_5=x'])
    response.end(JSON.stringify({ url: request.url, cookie: request.headers.cookie }))
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(String(data))))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const client of sockets.clients) client.terminate()
      server.closeAllConnections()
      server.close()
    },
  }
}

function upload(port: number, cookie: string, bytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, path: '/upload', method: 'PUT', headers: { cookie, 'content-length': bytes } },
      (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => {
          text += chunk
        })
        response.on('end', () => resolve(text))
      },
    )
    request.on('error', reject)
    const chunk = Buffer.alloc(2 ** 20)
    let left = bytes
    const write = () => {
      while (left > 0) {
        left -= chunk.length
        if (!request.write(chunk)) {
          request.once('drain', write)
          return
        }
      }
      request.end()
    }
    write()
  })
}

function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
  })
}

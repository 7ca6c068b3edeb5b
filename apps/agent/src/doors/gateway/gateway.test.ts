import { createServer, request as httpRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { formatGatewayProof } from '@rackfair/protocol/agentTexts'
import { freePort } from '@rackfair/testkit'
import { recoverMessageAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { setupGateway } from '../../testing/setupGateway.ts'
import { startEchoApp } from '../../testing/startEchoApp.ts'

describe('the gateway', () => {
  let door: Awaited<ReturnType<typeof setupGateway>>
  let app: Awaited<ReturnType<typeof startEchoApp>>

  beforeAll(async () => {
    app = await startEchoApp()
    door = await setupGateway()
  })
  afterAll(async () => {
    await door.close()
    await app.close()
  })

  it('redirects the Visit link with a cookie, and never serves the application there', async () => {
    door.put(1n, { appPort: app.port })
    const entry = await fetch(door.link(1n), { redirect: 'manual' })
    expect(entry.status).toBe(302)
    expect(entry.headers.get('location')).toBe('/')
    expect(entry.headers.getSetCookie()[0]).toMatch(/^rackfair_visit=1\..+; Path=\/; HttpOnly; SameSite=Lax/)
    const page = await fetch(`${door.origin}/hello?x=1`, { headers: { cookie: await door.enter(1n) } })
    expect(await page.json()).toMatchObject({ url: '/hello?x=1' })
  })

  it('explains what is wrong with a link', async () => {
    door.put(1n, { appPort: app.port })
    expect((await fetch(door.link(404n))).status).toBe(404)
    expect((await fetch(door.link(1n, '0x0000000000000000000000000000000000000001'))).status).toBe(403)
    expect((await fetch(`${door.origin}/?OrderId=1%00&UserAddress=x`)).status).toBe(404)
    expect((await fetch(`${door.origin}/?OrderId=99999999999999999999999&UserAddress=x`)).status).toBe(404)
    expect((await fetch(`${door.origin}/`)).status).toBe(404)
  })

  it('uses the browser’s preferred language, and links to the orders', async () => {
    const speak = async (language: string) =>
      (await fetch(`${door.origin}/`, { headers: { 'accept-language': language } })).text()
    for (const language of ['zh-CN,zh;q=0.9,en;q=0.8', 'fr-FR,zh-TW;q=0.8,en;q=0.5'])
      expect(await speak(language)).toMatch(/lang="zh-CN".*这里没有可访问的内容/s)
    for (const language of ['en-GB,en;q=0.9,zh;q=0.8', 'de', '', 'xzh'])
      expect(await speak(language)).toMatch(/lang="en".*Nothing to visit here/s)
    expect(await speak('en')).toContain('href="https://market.example/myspace"')
  })

  it('shows a status page while the application starts, after it failed, once it is gone, and when it does not respond', async () => {
    door.put(2n, { appPort: app.port })
    const cookie = await door.enter(2n)
    const pageIn = async (phase: 'Starting' | 'Failed' | 'Cleaning') => {
      door.put(2n, { appPort: app.port, phase, code: 'start_failed' })
      return fetch(`${door.origin}/`, { headers: { cookie } })
    }
    const starting = await pageIn('Starting')
    expect([starting.status, starting.headers.get('retry-after')]).toEqual([503, '2'])
    const failed = await pageIn('Failed')
    const text = await failed.text()
    expect([
      failed.status,
      text.includes('start_failed'),
      text.includes('one that has started continues, and so do its charges'),
    ]).toEqual([502, true, true])
    expect((await pageIn('Cleaning')).status).toBe(410)
    door.put(2n, { appPort: await freePort() })
    expect((await fetch(`${door.origin}/`, { headers: { cookie } })).status).toBe(503)
    door.visits.delete(2n)
    expect((await fetch(`${door.origin}/`, { headers: { cookie } })).status).toBe(410)
  })

  it('proves its identity to anyone, a few times a second', async () => {
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

  it('hides its cookies from the application, and the application’s attempts to set them', async () => {
    door.put(1n, { appPort: app.port })
    const page = await fetch(`${door.origin}/set-cookies`, { headers: { cookie: `${await door.enter(1n)}; mine=1` } })
    expect(await page.json()).toMatchObject({ cookie: 'mine=1' })
    expect(page.headers.getSetCookie()).toEqual(['app=1'])
  })

  it('clears the browser storage of the previous order, and blocks service workers on reused origins', async () => {
    door.put(1n, { appPort: app.port })
    door.put(3n, { appPort: app.port })
    const cookie = await door.enter(1n)
    const next = await fetch(door.link(3n), { redirect: 'manual', headers: { cookie } })
    expect(next.headers.get('clear-site-data')).toBe('"cache", "storage"')
    const worker = { 'service-worker': 'script' }
    expect((await fetch(`${door.origin}/sw.js`, { headers: { cookie, ...worker } })).status).toBe(403)
    const ported = await setupGateway({ ownPorts: true })
    ported.put(1n, { appPort: app.port })
    await ported.enter(1n)
    expect((await fetch(`${ported.originOf(1n)}/sw.js`, { headers: worker })).status).toBe(403)
    const named = await setupGateway({ config: { domain: 'node.example' } })
    named.put(1n, { appPort: app.port })
    const head = `GET /sw.js HTTP/1.1\r\nhost: o-1.node.example:${named.port}\r\nservice-worker: script\r\nconnection: close\r\n\r\n`
    expect(await raw(named.port, head)).toContain('"url":"/sw.js"')
    for (const one of [ported, named]) await one.close()
  })

  it('refuses a forged cookie, and one that comes twice', async () => {
    const cookie = await door.enter(1n)
    const statusOf = async (sent: string) => (await fetch(`${door.origin}/`, { headers: { cookie: sent } })).status
    expect(await statusOf(cookie.replace('=1.', '=3.'))).toBe(404)
    expect([await statusOf(cookie), await statusOf(`${cookie}; ${cookie}`)]).toEqual([200, 404])
  })

  it('binds its cookies to the very host where it has TLS', async () => {
    const secure = await setupGateway({ config: { tls: true } })
    secure.put(1n, { appPort: app.port })
    const entry = await fetch(secure.link(1n), { redirect: 'manual' })
    const [cookie = ''] = entry.headers.getSetCookie()
    expect(cookie).toMatch(/^__Host-rackfair_visit=1\..+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/)
    const statusOf = async (sent: string) => (await fetch(`${secure.origin}/`, { headers: { cookie: sent } })).status
    const [own = ''] = cookie.split(';')
    expect([await statusOf(own), await statusOf(own.replace('__Host-', ''))]).toEqual([200, 404])
    await secure.close()
  })

  it('forwards WebSockets', async () => {
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

  it('disconnects a client that never completes its headers', async () => {
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

  it('refuses oversized headers and survives garbage', async () => {
    expect(await raw(door.port, `GET / HTTP/1.1\r\nhost: x\r\nx-big: ${'a'.repeat(20_000)}\r\n\r\n`)).toContain('431')
    expect(await raw(door.port, '\x16\x03\x01\x02\x00\x01\x00 what is this\r\n\r\n')).toContain('400')
    expect(
      await raw(door.port, 'GET / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'),
    ).toContain('400')
    expect((await fetch(`${door.origin}/healthz`)).status).toBe(200)
  })

  it('gives each order its own port within a configured range', async () => {
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

  it('reuses the port of an ended order only, and falls back to the shared origin', async () => {
    const from = await freePort()
    const own = await setupGateway({ config: { portRange: [from, from + 1] } })
    const way = async (id: bigint) => (await fetch(own.link(id), { redirect: 'manual' })).headers.get('location')
    const enter = (id: bigint) => `http://127.0.0.1:${from}/.rackfair/enter?order=${id}`
    for (const id of [1n, 2n]) own.put(id, { appPort: app.port })
    expect([await way(1n), await way(2n)]).toEqual([enter(1n), '/'])
    own.visits.delete(1n)
    expect(await way(2n)).toBe(enter(2n))
    expect((await fetch(`http://127.0.0.1:${from}/second`)).status).toBe(200)
    own.put(1n, { appPort: app.port })
    expect([await way(1n), await way(2n)]).toEqual(['/', enter(2n)])
    await own.close()
  })

  it('refuses a request with two Host headers or an absolute URL', async () => {
    const host = `host: 127.0.0.1:${door.port}`
    const upgrade = 'connection: upgrade\r\nupgrade: websocket'
    for (const head of [
      `GET / HTTP/1.1\r\n${host}\r\nhost: evil.example`,
      `GET / HTTP/1.1\r\n${host}\r\nHOST: 127.0.0.1:${door.port}`,
      `GET http://127.0.0.1:${door.port}/ HTTP/1.1\r\n${host}`,
      `OPTIONS * HTTP/1.1\r\n${host}`,
      `GET /socket HTTP/1.1\r\n${host}\r\nhost: evil.example\r\n${upgrade}`,
      `GET ws://127.0.0.1:${door.port}/socket HTTP/1.1\r\n${host}\r\n${upgrade}`,
    ])
      expect([head, (await raw(door.port, `${head}\r\n\r\n`)).split('\r\n')[0]]).toEqual([head, 'HTTP/1.1 400 Bad Request'])
  })

  it('gives each order its own name under a configured domain', async () => {
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

  it('skips occupied ports, and falls back to the shared origin when none is left', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', () => resolve()))
    const { port } = taken.address() as AddressInfo
    const own = await setupGateway({ config: { portRange: [port, port + 1] } })
    own.put(1n, { appPort: app.port })
    expect((await fetch(own.link(1n), { redirect: 'manual' })).headers.get('location')).toBe('/')
    taken.close()
    await new Promise((resolve) => taken.once('close', resolve))
    expect((await fetch(own.link(1n), { redirect: 'manual' })).headers.get('location')).toContain(`:${port}/`)
    await own.close()
  })
})

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

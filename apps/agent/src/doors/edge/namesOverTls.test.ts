import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, get as getPlain, type OutgoingHttpHeaders } from 'node:http'
import { connect as connectSession, constants } from 'node:http2'
import { Agent, get } from 'node:https'
import { type AddressInfo, connect as connectTcp } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { connect, createServer as createTlsServer } from 'node:tls'
import { dnsRecords } from '@rackfair/sdk/dnsRecords'
import { proveName } from '@rackfair/sdk/proveName'
import { freePort } from '@rackfair/testkit'
import { type Hex, recoverMessageAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { type StartedEdge, startEdge } from '../../../../edge/src/testing/startEdge.ts'
import { openAgentDb } from '../../db/openAgentDb.ts'
import { sayingLog } from '../../foundation/log.ts'
import { setupGateway } from '../../testing/setupGateway.ts'
import { type StartedPebble, startPebble, whyNoPebble } from '../../testing/startPebble.ts'
import { createLocalAuthority } from './createLocalAuthority.ts'
import { createOwnDomains } from './createOwnDomains.ts'
import { openEdges, ownCaa } from './openEdges.ts'

const SOON = { timeout: 60_000, interval: 20 }
const BIG = 12_000_000
const reason = whyNoPebble

describe.skipIf(reason)(`names below an edge, with certificates of a real authority (${reason ?? 'here'})`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-names-'))
  let edge: StartedEdge
  let app: Awaited<ReturnType<typeof startApp>>
  let door: Awaited<ReturnType<typeof setupGateway>>
  let edges: Awaited<ReturnType<typeof openEdges>>
  let ca: Buffer
  let pebble: StartedPebble
  /** Orders that are over. */
  const over = new Set<bigint>()
  let domains: ReturnType<typeof createOwnDomains>
  let name = ''
  let rawPort = 0

  beforeAll(async () => {
    app = await startApp()
    const tls = await freePort()
    pebble = await startPebble({ folder, tlsPort: tls })
    ca = readFileSync(pebble.rootFile)
    const records = dnsRecords([pebble.dns])
    edge = await startEdge({ records, ports: { control: 0, dial: 0, tls, plain: 0 } })
    // Behind a proxy with TLS of its own, which does not speak for visitors of the edge.
    door = await setupGateway({ config: { tls: true }, orderOfDomain: (domain) => domains.orderOf(domain) })
    const { db } = openAgentDb(':memory:')
    domains = createOwnDomains({ db, records, isOver: async (id) => over.has(id), now: () => 0, log: sayingLog(() => {}) })
    door.put(1n, { appPort: app.port })
    door.put(2n, { appPort: app.port, access: 'owner' })
    edges = await openEdges({
      config: {
        ...{ chainId: 2985, provider: door.operator.address.toLowerCase() },
        gateway: {
          edges: [{ host: '127.0.0.1', port: edge.ports.control, fingerprint: edge.certificate.fingerprint, spares: 2 }],
          ...{ port: 1, acme: { directory: pebble.directory, termsOfServiceAgreed: true } },
        },
      } as never,
      ...{ account: door.operator, data: folder, receive: door.receive, isLive: (orderId) => door.visits.has(orderId) },
      domains,
      log: sayingLog((message, facts) => {
        if (message === 'an edge sends visitors') ({ name, rawPort } = facts as { name: string; rawPort: number })
      }),
    })
    await vi.waitFor(() => expect(name).not.toBe(''), SOON)
  })
  afterAll(async () => {
    edges?.close()
    domains?.close()
    await door?.close()
    await edge?.close()
    app?.close()
    await pebble?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const originOf = (host: string) => `https://${host}:${edge.ports.tls}`
  const ask = (host: string, path = '/', headers: OutgoingHttpHeaders = {}, localAddress = '127.0.0.1') =>
    new Promise<{ status: number | undefined; body: string; cookies: string[] }>((resolve, reject) => {
      const options = { agent: new Agent({ ca, servername: host }), host: '127.0.0.1', port: edge.ports.tls, path, localAddress }
      const asking = get({ ...options, headers: { host: `${host}:${edge.ports.tls}`, ...headers } }, (answer) =>
        text(answer).then(
          (body) => resolve({ status: answer.statusCode, body, cookies: answer.headers['set-cookie'] ?? [] }),
          reject,
        ),
      )
      asking.on('error', reject)
    })
  /** A browser's connection by HTTP/2. */
  const openSession = async (host: string) => {
    const options = { ca, servername: host, ALPNProtocols: ['h2'], port: edge.ports.tls, host: '127.0.0.1' }
    const session = connectSession(originOf(host), { createConnection: () => connect(options) })
    onTestFinished(() => session.destroy())
    session.on('error', () => {})
    await once(session, 'connect')
    const send = async (path: string, more: OutgoingHttpHeaders = {}, body?: Buffer) => {
      const stream = session.request({ ':path': path, ...(body ? { ':method': 'POST' } : {}), ...more }, { endStream: !body })
      stream.end(body)
      const [headers] = (await once(stream, 'response')) as [Record<string, string> & { ':status': number }]
      return { stream, headers, status: headers[':status'] }
    }
    return { session, send }
  }

  it('lead the Visit link to the order’s own name, whose first visitors get the page with a certificate that holds', async () => {
    const entry = await fetch(door.link(1n).replace(/^http:\/\/[^/]+/, `http://127.0.0.1:${rawPort}`), { redirect: 'manual' })
    expect(entry.headers.get('location')).toBe(`${originOf(`o-1.${name}`)}/`)
    const pages = await Promise.all(Array.from({ length: 5 }, () => ask(`o-1.${name}`, '/hello')))
    for (const page of pages) expect(JSON.parse(page.body)).toMatchObject({ url: '/hello' })
    const stored = join(folder, 'certificates', `o-1.${name}.pem`)
    expect(statSync(stored).mode & 0o777).toBe(0o600)
    const socket = new WebSocket(`wss://127.0.0.1:${edge.ports.tls}/socket`, {
      ...{ ca, servername: `o-1.${name}`, headers: { host: `o-1.${name}:${edge.ports.tls}` } },
    })
    onTestFinished(() => socket.terminate())
    await once(socket, 'open')
    socket.send('over TLS')
    expect(String((await once(socket, 'message'))[0])).toBe('over TLS')
  })

  it('serve by HTTP/2 what the application sends and takes, unchanged and as it comes', async () => {
    const { session, send } = await openSession(`o-1.${name}`)
    expect((session.socket as unknown as { alpnProtocol: string }).alpnProtocol).toBe('h2')
    const [down, hash] = [await send('/big'), createHash('sha256')]
    expect(hash.update(await buffer(down.stream)).digest('hex')).toBe(app.bigHash)
    const sent = randomBytes(BIG)
    const up = await send('/upload', {}, sent)
    expect(await text(up.stream)).toBe(createHash('sha256').update(sent).digest('hex'))
    // The first of several events, while the others are still to come; another request passes it.
    const events = await send('/events')
    expect(String((await once(events.stream, 'data'))[0])).toBe('data: 1\n\n')
    expect(JSON.parse(await text((await send('/beside')).stream))).toMatchObject({ url: '/beside' })
    const gone = app.left()
    events.stream.close(constants.NGHTTP2_CANCEL)
    await gone
    expect((await send('/nothing')).status).toBe(204)
    const { status, headers } = await send('/odd')
    expect(status).toBe(418)
    expect(headers['http2-settings']).toBeUndefined()
    expect(headers['x-kept']).toBe('1')
    expect((await send('/impossible')).status).toBe(503)
    const { host } = JSON.parse(await text((await send('/named')).stream)).headers
    expect(host).toBe(`o-1.${name}:${edge.ports.tls}`)
    for (const wrong of [{ host: 'elsewhere.example' }, { ':authority': 'elsewhere.example' }])
      expect((await send('/', wrong)).status).toBeGreaterThanOrEqual(400)
    expect((await send('/after')).status).toBe(200)
  })

  it('tell the application who visits, by both versions, whatever the visitor and a proxy of other visitors say', async () => {
    const told = async (body: string) => JSON.parse(body).headers as Record<string, string>
    const lies = { 'x-forwarded-for': '10.0.0.1', 'x-real-ip': '10.0.0.1', forwarded: 'for=10.0.0.1' }
    const older = await told((await ask(`o-1.${name}`, '/', lies, '127.0.0.33')).body)
    expect(older).toMatchObject({ 'x-forwarded-for': '127.0.0.33', 'x-forwarded-proto': 'https' })
    const { send } = await openSession(`o-1.${name}`)
    const newer = await told(await text((await send('/', lies)).stream))
    expect(newer).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' })
    for (const one of [older, newer]) expect(JSON.stringify(one)).not.toContain('10.0.0.1')
  })

  it('are proved to end TLS at this agent, and nobody in between can say the same', async () => {
    const host = `o-1.${name}`
    const { address } = door.operator
    const signers: string[] = []
    const prove = (port: number, operator: string = address, path = host) =>
      proveName(`https://${path}:${port}/`, {
        ...{ chainId: 2985, provider: door.provider, ca: String(ca), timeoutMs: 30_000 },
        // As a visitor whose DNS leads to this machine.
        lookup: (_name, options, done) =>
          options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4),
        isSignedByAgent: async (message, signature) => {
          const signer = await recoverMessageAddress({ message, signature: signature as Hex })
          signers.push(signer)
          return signer === operator
        },
      })
    const seen = await prove(edge.ports.tls)
    expect(seen).toMatchObject({ who: 'agent', isTrusted: true, certificate: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(await prove(edge.ports.tls, '0x00000000000000000000000000000000000000aa')).toMatchObject({ who: 'unproven' })
    expect(signers).toEqual([address, address])
    // With HTTP/2 as well the certificate of the connection is what is signed.
    const { session } = await openSession(host)
    const asked = session.request({ ':path': `/.rackfair/agent?challenge=${'ab'.repeat(32)}` })
    expect(JSON.parse(await text(asked))).toMatchObject({ certificate: (seen as { certificate: string }).certificate })

    // Somebody with a certificate of another authority reads along, and passes on what the agent signs.
    const stolen = await createLocalAuthority(join(folder, 'other', 'authority.pem')).issue(host)
    const between = async (serve: Parameters<typeof createTlsServer>[1]) => {
      const server = createTlsServer({ key: stolen, cert: stolen }, serve).listen(0, '127.0.0.1')
      onTestFinished(() => void server.close())
      await once(server, 'listening')
      return (server.address() as AddressInfo).port
    }
    const reads: string[] = []
    const reader = await between((visitor) => {
      const on = connect({ ca, servername: host, port: edge.ports.tls, host: '127.0.0.1' })
      visitor.on('data', (data) => reads.push(String(data)))
      for (const [from, to] of [[visitor, on] as const, [on, visitor] as const]) from.on('error', () => to.destroy()).pipe(to)
    })
    expect(await prove(reader)).toMatchObject({ who: 'other', isTrusted: false, issuer: expect.stringContaining('Rackfair on') })
    expect(reads.join('')).toContain(`host: ${host}`.replace('host', 'Host'))

    // One that says nothing, one that signs nothing, one that passes on what the agent signs at its raw port, and one that says too much.
    const raw = await fetch(`http://127.0.0.1:${door.port}/.rackfair/agent?challenge=${'ab'.repeat(32)}`)
    const answers = [
      '',
      'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n',
      `HTTP/1.1 200 OK\r\n\r\n${await raw.text()}`,
      `HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(9_000)}`,
    ]
    for (const answer of [
      ...answers,
      'HTTP/1.1 200 OK\r\n\r\nnull',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    ])
      expect(
        await prove(await between((visitor) => void visitor.on('error', () => {}).end(answer))),
        answer.slice(0, 40),
      ).toMatchObject({
        who: 'unproven',
      })
    expect(await prove(await freePort())).toEqual({ who: 'silent', reason: 'ECONNREFUSED' })
  })

  it('name the account that alone may certify them', async () => {
    const own = ownCaa({ acme: { directory: pebble.directory, termsOfServiceAgreed: true } }, folder)
    expect(own).toMatch(
      /^0 issue "127\.0\.0\.1; accounturi=https:\/\/127\.0\.0\.1:\d+\/my-account\/\w+; validationmethods=tls-alpn-01,http-01"$/,
    )
    expect(ownCaa({ acme: { directory: 'https://other.example/dir', termsOfServiceAgreed: true } }, folder)).toBeNull()
    expect(ownCaa({}, folder)).toBeNull()
  })

  it('limit each visitor by its own address, not all of them by the edge’s', async () => {
    const { send } = await openSession(`o-1.${name}`)
    const open = await Promise.all(Array.from({ length: 64 }, () => send('/events')))
    expect(open.every(({ status }) => status === 200)).toBe(true)
    expect((await send('/')).status).toBe(503)
    expect((await ask(`o-1.${name}`, '/', {}, '127.0.0.34')).status).toBe(200)
  })

  it('keep an application for its owner behind a cookie of this very name, which no other takes', async () => {
    const host = `o-2.${name}`
    const origin = originOf(host)
    const page = await ask(host)
    const fact = (key: string) => decode(new RegExp(`data-${key}="([^"]*)"`).exec(page.body)?.[1] ?? '')
    expect(fact('text')).toContain(origin)
    const signature = await door.owner.signMessage({ message: fact('text') })
    const body = JSON.stringify({ order: '2', nonce: fact('nonce'), time: Number(fact('time')), signature })
    const { send } = await openSession(host)
    const json = { 'content-type': 'application/json' }
    expect((await send('/.rackfair/sign-in', { ...json, origin: 'https://o-1.edge.test' }, Buffer.from(body))).status).toBe(403)
    const entered = await send('/.rackfair/sign-in', { ...json, origin }, Buffer.from(body))
    expect(entered.status).toBe(200)
    const [line = ''] = [entered.headers['set-cookie'] ?? []].flat()
    expect(line).toMatch(/^__Host-rackfair_owner_2=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/)
    const cookie = line.split(';')[0] as string
    expect(JSON.parse((await ask(host, '/mine', { cookie: `${cookie}; own=1` })).body)).toMatchObject({
      ...{ url: '/mine', headers: { cookie: 'own=1' } },
    })
    expect((await send('/mine', { cookie })).status).toBe(200)
    // Planted by a neighbour, or sent to one.
    expect((await ask(host, '/', { cookie: `${cookie}; ${cookie}` })).body).toContain('data-nonce')
    expect((await ask(host, '/', { cookie: cookie.replace('__Host-', '') })).body).toContain('data-nonce')
  })

  it('stand beside domains of renters, each of the one order that it points to, until that is over', async () => {
    const codeOf = (adding: Promise<void>) =>
      adding.then(
        () => undefined,
        ({ code }: { code: string }) => code,
      )
    expect(domains.list(1n)).toEqual({ target: `o-1.${name}`, caa: null, domains: [] })
    for (const wrong of ['', 'localhost', '10.0.0.1', 'a b.test', `x.${name}`])
      expect(await codeOf(domains.add(1n, wrong)), wrong).toBe('domain_refused')
    expect(await codeOf(domains.add(1n, 'shop.test'))).toBe('domain_elsewhere')
    await expect(ask('shop.test')).rejects.toThrow()

    await pebble.setDns('set-cname', { host: 'shop.test', target: `o-1.${name}` })
    expect(await codeOf(domains.add(2n, 'shop.test'))).toBe('domain_elsewhere')
    await domains.add(1n, 'Shop.Test.')
    expect(domains.list(1n).domains).toEqual([{ domain: 'shop.test', isServed: true }])
    const page = JSON.parse((await ask('shop.test', '/hello')).body)
    expect(page).toMatchObject({ url: '/hello', headers: { host: `shop.test:${edge.ports.tls}` } })
    const plain = await new Promise<{ location?: string | undefined }>((resolve, reject) =>
      getPlain({ host: '127.0.0.1', port: edge.ports.plain, path: '/a', headers: { host: 'shop.test' } }, ({ headers }) =>
        resolve(headers),
      ).on('error', reject),
    )
    expect(plain.location).toBe(`${originOf('shop.test')}/a`)

    expect(await codeOf(domains.add(2n, 'shop.test'))).toBe('domain_taken')
    domains.remove(2n, 'shop.test')
    expect(domains.orderOf('shop.test')).toBe(1n)

    await pebble.setDns('clear-cname', { host: 'shop.test' })
    await pebble.setDns('set-cname', { host: 'shop.test', target: `o-2.${name}` })
    await domains.add(2n, 'shop.test')
    expect([domains.list(1n).domains, domains.orderOf('shop.test')]).toEqual([[], 2n])
    expect((await ask('shop.test')).body, 'it is for its owner alone').toContain('data-nonce')

    over.add(2n)
    await domains.sweep()
    expect(domains.orderOf('shop.test')).toBeUndefined()
    await expect(ask('shop.test')).rejects.toThrow()
  })

  it('get none for an order that there is not, nor for a name of somebody else, nor where no name is said', async () => {
    const before = readdirSync(join(folder, 'certificates')).length
    for (const host of [`o-77.${name}`, `www.${name}`, `o-1.o-1.${name}`]) await expect(ask(host)).rejects.toThrow()
    expect(readdirSync(join(folder, 'certificates'))).toHaveLength(before)
    const socket = connectTcp(edge.ports.tls, '127.0.0.1')
    socket.end('GET / HTTP/1.1\r\n\r\n')
    expect((await buffer(socket)).subarray(0, 1)).toEqual(Buffer.from([21]))
  })
})

const decode = (said: string): string => said.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))

/** An application that says what it was asked, sends and takes much, and sends events. */
async function startApp() {
  const big = randomBytes(BIG)
  let onLeft = () => {}
  const server = createServer(async (request, response) => {
    const { url, headers } = request
    if (url === '/big') return response.end(big)
    if (url === '/upload')
      return response.end(
        createHash('sha256')
          .update(await buffer(request))
          .digest('hex'),
      )
    if (url === '/nothing') return response.writeHead(204).end()
    if (url === '/odd') return response.writeHead(418, { 'http2-settings': 'AAMAAABk', 'keep-alive': 'x', 'x-kept': '1' }).end()
    if (url === '/impossible') return response.writeHead(700).end('more than HTTP/2 has')
    if (url !== '/events') return response.end(JSON.stringify({ url, headers }))
    response.once('close', () => onLeft())
    return response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(String(data))))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    bigHash: createHash('sha256').update(big).digest('hex'),
    /** Resolves when a visitor of the events has left. */
    left: () => new Promise<void>((resolve) => (onLeft = resolve)),
    close(): void {
      server.close()
      server.closeAllConnections()
    },
  }
}

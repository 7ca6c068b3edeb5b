import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, get as getPlain } from 'node:http'
import { Agent, get } from 'node:https'
import { type AddressInfo, connect as connectTcp } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { dnsRecords } from '@rackfair/sdk/dnsRecords'
import { freePorts } from '@rackfair/testkit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openAgentDb } from '../../db/openAgentDb.ts'
import { sayingLog } from '../../foundation/log.ts'
import { setupGateway } from '../../testing/setupGateway.ts'
import { type StartedPebble, startPebble, whyNoPebble } from '../../testing/startPebble.ts'
import { createOwnDomains } from './createOwnDomains.ts'
import { openEdges } from './openEdges.ts'

const DOMAIN = 'atlas.test'
const SOON = { timeout: 60_000, interval: 20 }
const reason = whyNoPebble

describe.skipIf(reason)(`names that lead to the machine itself (${reason ?? 'here'})`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-own-'))
  let pebble: StartedPebble
  let ca: Buffer
  const app = createServer(({ url, headers }, response) => response.end(JSON.stringify({ url, headers })))
  let door: Awaited<ReturnType<typeof setupGateway>>
  let domains: ReturnType<typeof createOwnDomains>
  let edges: Awaited<ReturnType<typeof openEdges>>
  let [tls, plain] = [0, 0]
  const openWith = (names: { tls: number; plain: number | null }) =>
    openEdges({
      config: {
        ...{ chainId: 2985, provider: door.provider },
        gateway: {
          ...{ host: '127.0.0.1', publicHost: '127.0.0.1', port: door.port, domain: DOMAIN, names },
          acme: { directory: pebble.directory, termsOfServiceAgreed: true },
        },
      } as never,
      ...{ account: door.operator, data: folder, receive: door.receive, isLive: (orderId) => door.visits.has(orderId) },
      ...{ domains, log: sayingLog(() => {}) },
    })

  beforeAll(async () => {
    ;[tls = 0, plain = 0] = await freePorts(2)
    pebble = await startPebble({ folder, tlsPort: tls })
    ca = readFileSync(pebble.rootFile)
    app.listen(0, '127.0.0.1')
    await once(app, 'listening')
    const appPort = (app.address() as AddressInfo).port
    const config = {
      domain: DOMAIN,
      acme: { directory: pebble.directory, termsOfServiceAgreed: true as const },
      names: { tls, plain },
    }
    door = await setupGateway({ config, orderOfDomain: (domain) => domains.orderOf(domain) })
    const { db } = openAgentDb(':memory:')
    domains = createOwnDomains({
      db,
      records: dnsRecords([pebble.dns]),
      isOver: async () => false,
      now: () => 0,
      log: sayingLog(() => {}),
    })
    door.put(1n, { appPort })
    door.put(2n, { appPort, access: 'owner' })
    edges = await openWith({ tls, plain })
  })
  afterAll(async () => {
    edges?.close()
    domains?.close()
    await door?.close()
    app.close()
    app.closeAllConnections()
    await pebble?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const ask = (host: string, path = '/', localAddress = '127.0.0.1') =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const options = { agent: new Agent({ ca, servername: host }), host: '127.0.0.1', port: tls, path, localAddress }
      get({ ...options, headers: { host: `${host}:${tls}` } }, (answer) =>
        text(answer).then((body) => resolve({ status: answer.statusCode, body }), reject),
      ).on('error', reject)
    })

  it('lead the Visit link to the order’s own name, over TLS that ends here, and show the visitor as it is', async () => {
    const entry = await fetch(door.link(1n), { redirect: 'manual' })
    expect(entry.headers.get('location')).toBe(`https://o-1.${DOMAIN}:${tls}/`)
    const { status, body } = await ask(`o-1.${DOMAIN}`, '/hello', '127.0.0.44')
    expect([status, JSON.parse(body)]).toMatchObject([
      200,
      { url: '/hello', headers: { 'x-forwarded-for': '127.0.0.44', 'x-forwarded-proto': 'https' } },
    ])
    expect((await ask(`o-2.${DOMAIN}`)).body, 'for its owner alone').toContain('data-nonce')
    const session = connect({ ca, servername: `o-1.${DOMAIN}`, ALPNProtocols: ['h2'], port: tls, host: '127.0.0.1' })
    await once(session, 'secureConnect')
    expect(session.alpnProtocol).toBe('h2')
    session.destroy()
  })

  it('serve domains of renters without anybody else', async () => {
    await pebble.setDns('set-cname', { host: 'shop.test', target: `o-1.${DOMAIN}` })
    await domains.add(1n, 'shop.test')
    expect(domains.list(1n)).toEqual({ target: `o-1.${DOMAIN}`, caa: null, domains: [{ domain: 'shop.test', isServed: true }] })
    expect(JSON.parse((await ask('shop.test', '/own')).body)).toMatchObject({ url: '/own' })
  })

  it('are led to from the port for HTTP, those of this machine and no others', async () => {
    const leads = (host: string) =>
      new Promise<[number | undefined, string | undefined]>((resolve, reject) =>
        getPlain({ host: '127.0.0.1', port: plain, path: '/a?b', headers: { host } }, ({ statusCode, headers }) =>
          resolve([statusCode, headers.location]),
        ).on('error', reject),
      )
    expect(await leads(`o-1.${DOMAIN}`)).toEqual([308, `https://o-1.${DOMAIN}:${tls}/a?b`])
    expect(await leads('elsewhere.test')).toEqual([421, undefined])
    for (const host of [`o-77.${DOMAIN}`, 'elsewhere.test', `o-1.o-1.${DOMAIN}`]) await expect(ask(host), host).rejects.toThrow()
  })

  it('have room for who comes, whatever others hold open without a word', async () => {
    const silent = Array.from({ length: 200 }, (_, at) =>
      connectTcp({ port: tls, host: '127.0.0.1', localAddress: `127.0.1.${1 + (at % 8)}` }),
    )
    let [open, closed] = [0, 0]
    for (const one of silent)
      one
        .on('error', () => {})
        .on('connect', () => (open += 1))
        .on('close', () => (closed += 1))
    await vi.waitFor(() => expect(open).toBe(200), SOON)
    await vi.waitFor(() => expect(closed).toBeGreaterThanOrEqual(72), SOON)
    expect((await ask(`o-1.${DOMAIN}`, '/still')).status).toBe(200)
    for (const one of silent) one.destroy()
  })

  it('cannot be opened twice: the second agent is told', async () => {
    await expect(openWith({ tls, plain: null })).rejects.toMatchObject({ code: 'conflict' })
  })

  it('are closed with the agent, connections too, and answer again after its next start', async () => {
    const held = connectTcp({ port: tls, host: '127.0.0.1' })
    await once(held, 'connect')
    const ended = once(held, 'close')
    held.on('error', () => {})
    edges.close()
    await ended
    await expect(ask(`o-1.${DOMAIN}`)).rejects.toThrow()
    edges = await openWith({ tls, plain })
    expect((await ask(`o-1.${DOMAIN}`, '/again')).status).toBe(200)
  })
})

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatGatewayProof } from '@rackfair/protocol/agentTexts'
import { type ReachAnswer, reachAnswer, readEdgePlace } from '@rackfair/protocol/reach'
import { zodOf } from '@rackfair/protocol/zodOf'
import { isPublicAddress } from '@rackfair/rules/network/isPublicAddress'
import { createApi } from '@rackfair/sdk'
import { freePort } from '@rackfair/testkit'
import { pino } from 'pino'
import type { LocalAccount } from 'viem'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { startEdge } from '../../edge/src/testing/startEdge.ts'
import { startPlatform } from '../src/startPlatform.ts'
import { type Market, startMarket } from './startMarket.ts'

let market: Market
beforeAll(async () => {
  market = await startMarket()
  const { act, chain } = market
  await act.becomeProvider()
  await act.send(chain.accounts.provider, 'registry', 'setOperator', [chain.accounts.operator.address])
})
afterAll(() => market.stop())

it('reports reachable when the registered port proves the operator key', async () => {
  const { operator } = market.chain.accounts
  const port = await listen(agentOf(operator))
  const answer = await reach(port)
  expect(answer).toMatchObject({ outcome: 'reachable', ip: '127.0.0.1', port, tls: false })
  expect(answer.milliseconds).toBeLessThan(4_000)
})

it.skipIf(!has('openssl'))('reports reachable over TLS with any certificate (skipped without openssl)', async () => {
  const [key, cert] = selfSigned()
  const server = createTlsServer({ key, cert }, agentOf(market.chain.accounts.operator))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  expect(await reach((server.address() as AddressInfo).port)).toMatchObject({ outcome: 'reachable', tls: true })
})

it('reports refused when nothing listens', async () => {
  expect(await reach(await freePort())).toMatchObject({ outcome: 'refused' })
})

it('reports no route to an unroutable address', async () => {
  expect(await reach(7070, '255.255.255.255')).toMatchObject({ outcome: 'no_route', ip: '255.255.255.255' })
})

it('reports a timeout when nothing responds', async () => {
  const port = await blackHole()
  const began = Date.now()
  expect(await reach(port)).toMatchObject({ outcome: 'timed_out' })
  expect(Date.now() - began).toBeLessThan(60_000)
})

it.each<[string, RequestListener]>([
  ['another key', (request, response) => agentOf(market.chain.accounts.otherUser)(request, response)],
  ['another program', (_, response) => response.end('<h1>It works!</h1>')],
  ['an endless answer', (_, response) => endless(response)],
  ['a signature of another text', async (_, response) => response.end(JSON.stringify({ signature: `0x${'11'.repeat(65)}` }))],
])('reports not this agent when %s responds', async (_, listener) => {
  expect(await reach(await listen(listener))).toMatchObject({ outcome: 'not_this_agent' })
})

it('reports not this agent when the port speaks no HTTP, switches protocols, or stays silent', async () => {
  const switches = (socket: Socket) =>
    socket
      .on('error', () => {})
      .once('data', () => socket.write('HTTP/1.1 101 Go on\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'))
  for (const behave of [(socket: Socket) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n'), switches, () => {}]) {
    const server = createTcpServer(behave)
    onTestFinished(() => void server.close())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    expect(await reach((server.address() as AddressInfo).port)).toMatchObject({ outcome: 'not_this_agent' })
  }
})

it('follows no redirect', async () => {
  let visits = 0
  const elsewhere = await listen((request, response) => {
    visits += 1
    agentOf(market.chain.accounts.operator)(request, response)
  })
  const port = await listen((request, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${elsewhere}${request.url}` }).end(),
  )
  expect(await reach(port)).toMatchObject({ outcome: 'not_this_agent' })
  expect(visits).toBe(0)
})

it('connects to no private address on another chain, and to no host name', async () => {
  let visits = 0
  const port = await listen((request, response) => {
    visits += 1
    agentOf(market.chain.accounts.operator)(request, response)
  })
  const block = await register(port)
  const { chainId: _, ...where } = market.settings.deployment
  const main = await startPlatform(
    { ...market.settings, role: 'api', deployment: { ...where, chainId: 985 } },
    pino({ level: 'silent' }),
  )
  onTestFinished(() => main.stop())
  const { provider } = market.chain.accounts
  expect(await createApi({ baseUrl: main.url }).reach(provider.address, { minBlock: block })).toMatchObject({
    outcome: 'not_public',
    ip: '127.0.0.1',
    port,
  })
  expect(visits).toBe(0)
  expect(await reach(port, 'localhost')).toMatchObject({ outcome: 'not_public', ip: 'localhost' })
  expect(visits).toBe(0)
  for (const host of ['127.0.0.1', 'localhost']) {
    const asking = createApi({ baseUrl: main.url }).edgePlace(provider.address, `${host}:${port}#${'ab'.repeat(32)}`)
    await expect(asking).rejects.toMatchObject({
      code: 'edge_unavailable',
      message: expect.stringContaining('not on the internet'),
    })
  }
  expect(visits).toBe(0)
})

it('asks an edge what it would give to who is no provider yet, and believes the named certificate only', async () => {
  const edge = await startEdge()
  onTestFinished(() => edge.close())
  const { control } = edge.ports
  const { address } = market.chain.accounts.user
  const ask = (named: string) => createApi({ baseUrl: market.platform.url }).edgePlace(address, named)
  const place = readEdgePlace(await ask(`127.0.0.1:${control}#${edge.certificate.fingerprint}`))
  expect(place).toEqual({
    ip: '127.0.0.1',
    port: expect.any(Number),
    domain: `p-${address.slice(2, 12).toLowerCase()}.edge.test`,
  })
  expect(place.port).toBeGreaterThanOrEqual(edge.rawPorts[0])
  await expect(ask(`127.0.0.1:${control}#${'ab'.repeat(32)}`)).rejects.toMatchObject({
    ...{ code: 'edge_unavailable', message: expect.stringContaining('another certificate') },
  })
  await expect(ask(`127.0.0.1:${await freePort()}#${'ab'.repeat(32)}`)).rejects.toMatchObject({ code: 'edge_unavailable' })
  await expect(ask('edge.example')).rejects.toMatchObject({ code: 'bad_request' })
})

it('recognises public addresses', () => {
  const no = [
    '10.1.2.3 127.0.0.1 169.254.169.254 172.31.0.1 192.168.0.1 100.64.0.1 0.0.0.0 255.255.255.255 224.0.0.1 203.0.113.7',
    '::1 :: fe80::1 fe80::1%eth0 fc00::1 fd12::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 64:ff9b::7f00:1 2002:7f00:1:: 2001:db8::1 ff02::1',
    '168.63.129.16 192.31.196.1 192.52.193.1 192.175.48.1',
    'localhost 127.1 0x7f.0.0.1 2130706433 1.2.3.4.5 8.8.8.8:80',
  ].flatMap((line) => line.split(' '))
  expect(['', ...no].filter(isPublicAddress)).toEqual([])
  const yes = '8.8.8.8 1.1.1.1 172.15.0.1 172.32.0.1 100.128.0.1 192.167.255.255 2606:4700:4700::1111 2a00:1450::1'.split(' ')
  expect(yes.filter((ip) => !isPublicAddress(ip))).toEqual([])
})

it('probes a few times a minute at most', async () => {
  const limited = await startPlatform({ ...market.settings, role: 'api', rateScale: 1 }, pino({ level: 'silent' }))
  onTestFinished(() => limited.stop())
  await register(await freePort())
  const api = createApi({ baseUrl: limited.url })
  const { provider } = market.chain.accounts
  const began = Date.now()
  const answers = await Promise.allSettled(Array.from({ length: 8 }, () => api.reach(provider.address)))
  // One more is granted every six seconds, and a busy machine takes its time.
  const back = Math.floor((Date.now() - began) / 6_000)
  const refused = answers.filter((answer) => answer.status === 'rejected').map(({ reason }) => reason.code)
  expect(refused.every((code) => code === 'rate_limited')).toBe(true)
  expect(refused.length).toBeLessThanOrEqual(3)
  expect(refused.length).toBeGreaterThanOrEqual(3 - back)
  await expect(api.reach(`0x${'0'.repeat(40)}`)).rejects.toMatchObject({ code: 'not_found' })
})

async function register(port: number, ip = '127.0.0.1'): Promise<number> {
  const { act, chain } = market
  return act.send(chain.accounts.provider, 'registry', 'revise', [{ name: 'north', ip, domain: '', port }])
}

async function reach(port: number, ip?: string): Promise<ReachAnswer> {
  const block = await register(port, ip)
  const { address } = market.chain.accounts.provider
  const { status, body } = await market.get(`/v1/cp/${address}/reach?minBlock=${block}`, { method: 'POST' })
  expect(status).toBe(200)
  return zodOf(reachAnswer).parse(body)
}

/** The answer of an agent's gateway at `/.rackfair/agent`. */
function agentOf(account: LocalAccount): RequestListener {
  return async (request, response) => {
    const challenge = new URL(request.url ?? '', 'http://agent').searchParams.get('challenge') ?? ''
    const { provider } = market.chain.accounts
    const message = formatGatewayProof({ chainId: 2985, provider: provider.address, challenge })
    response.end(JSON.stringify({ signature: await account.signMessage({ message }) }))
  }
}

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A self-signed certificate and its key. */
function selfSigned(): [key: Buffer, certificate: Buffer] {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-tls-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=127.0.0.1', '-days', '2']
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, ...subject], {
    stdio: 'ignore',
  })
  return [readFileSync(key), readFileSync(cert)]
}

function has(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
}

function endless(response: Parameters<RequestListener>[1]): void {
  const timer = setInterval(() => response.write('{"a":"'.padEnd(1_000, 'a')), 5)
  response.on('close', () => clearInterval(timer))
}

/** A port that never answers: its process is stopped and its queue is full, so the kernel drops every further connection. */
async function blackHole(): Promise<number> {
  const program = `const s = require('node:net').createServer(); s.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(s.address().port))`
  const child: ChildProcess = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  const port = Number(line.toString())
  child.kill('SIGSTOP')
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    child.kill('SIGKILL')
  })
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    sockets.push(socket)
    await Promise.race([once(socket, 'connect'), sleep(700)])
    // A busy machine may only look like a full queue.
    if (socket.connecting) await sleep(1000)
    if (socket.connecting) return port
  }
}

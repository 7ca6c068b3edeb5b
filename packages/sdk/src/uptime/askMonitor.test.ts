import dns, { type LookupAddress } from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { type AddressInfo, createServer, isIP, type LookupFunction, type Socket } from 'node:net'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { publicLookup } from '../node/publicLookup.ts'
import { requestText } from '../node/requestText.ts'
import { fetchHardware } from './hardware.ts'
import { fetchAttestations } from './publishedAttestations.ts'
import { fetchReports } from './publishedReports.ts'

const CHAIN = 985
const market = lowerCaseAddress(`0x${'44'.repeat(20)}`)

/** A service in the network around a program. Counts connections, and answers HTTP with what it was told. */
const sockets: Socket[] = []
let answer = ''
const inside = createServer((socket) => {
  sockets.push(socket.on('error', () => {}))
  socket.once('data', () => socket.write(answer))
})
let port = 0
beforeAll(async () => {
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
  port = (inside.address() as AddressInfo).port
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => void inside.close())

/** The system's resolver: what each name leads to, one answer after another. */
const answers = new Map<string, string[][]>()
const resolver = dns.lookup
beforeEach(() => {
  const lookup: LookupFunction = (hostname, { all }, done) => {
    const found = answers.get(hostname)?.shift() ?? []
    const addresses: LookupAddress[] = found.map((address) => ({ address, family: isIP(address) }))
    const [first] = addresses
    if (!first) done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' }), '', 0)
    else if (all) done(null, addresses)
    else done(null, first.address, first.family)
  }
  Object.assign(dns, { lookup })
  syncBuiltinESMExports()
})
afterEach(() => {
  Object.assign(dns, { lookup: resolver })
  syncBuiltinESMExports()
  answers.clear()
})

const ways: [string, (url: string, chainId: number) => Promise<unknown>][] = [
  ['reports', (url, chainId) => fetchReports(url, chainId, 7)],
  ['attestations', (url, chainId) => fetchAttestations({ monitor: market, url }, chainId, 7, market, 12n)],
  ['hardware results', (url, chainId) => fetchHardware(url, chainId, 0)],
]

test.each(ways)('asks no monitor for %s whose name leads into the network around', async (_, ask) => {
  answers.set('monitor.example', [['127.0.0.1'], ['127.0.0.1']])
  await expect(ask(`https://monitor.example:${port}`, CHAIN)).rejects.toThrow('not on the internet')
  expect(sockets).toHaveLength(0)
})

test.each(ways)('asks no monitor for %s at an address in place of a name', async (_, ask) => {
  for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', 'localhost'])
    await expect(ask(`https://${host}:${port}`, CHAIN)).rejects.toThrow('no URL of a monitor')
  expect(sockets).toHaveLength(0)
})

test.each(ways)('asks for %s at any address on a development chain', async (_, ask) => {
  answer = 'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'
  answers.set('monitor.example', [['127.0.0.1']])
  await expect(ask(`http://monitor.example:${port}`, DEVELOPMENT_CHAIN_ID)).rejects.toThrow('answers 404')
  expect(sockets).toHaveLength(1)
})

test.each([
  ...['127.0.0.1', '127.1.2.3', '0.0.0.0', '10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '224.0.0.1'],
  ...['::1', '::', 'fe80::1', 'fc00::1', 'fd00::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1', '64:ff9b::7f00:1'],
  ...['64:ff9b:1::a00:1', '2002:7f00:1::1', 'ff02::1'],
])('a name that leads to %s is refused', async (address) => {
  answers.set('monitor.example', [[address]])
  await expect(fetchReports(`https://monitor.example:${port}`, CHAIN, 7)).rejects.toThrow('not on the internet')
  const ip = isIP(address) === 6 ? `[${address}]` : address
  const limits = { isPublic: true, maxBytes: 9, milliseconds: 10_000 }
  await expect(requestText(`http://${ip}:${port}`, limits)).rejects.toThrow('not on the internet')
  expect(sockets).toHaveLength(0)
})

const found = (all: boolean) =>
  new Promise((resolve, reject) => {
    publicLookup('monitor.example', { all }, (error, address) => (error ? reject(error) : resolve(address)))
  })

test('of many addresses only the public ones are connected to, and a name is looked up once for each connection', async () => {
  const mixed = ['127.0.0.1', '8.8.4.9', 'fd00::1', '2a01:4f8::1']
  answers.set('monitor.example', [mixed, mixed, ['127.0.0.1']])
  expect(await found(true)).toEqual([
    { address: '8.8.4.9', family: 4 },
    { address: '2a01:4f8::1', family: 6 },
  ])
  expect(await found(false)).toBe('8.8.4.9')
  await expect(found(true)).rejects.toThrow('not on the internet')
  await expect(found(true)).rejects.toThrow('ENOTFOUND')
})

test.each([
  ['redirects', 'HTTP/1.1 302 Found\r\nlocation: /elsewhere\r\ncontent-length: 2\r\n\r\n{}', 'answers 302'],
  ['switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', 'answers 101'],
  ['says too much', 'HTTP/1.1 200 OK\r\n\r\n0123456789', 'too large'],
  ['says too little', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n01', 'timeout', 200],
  ['says nothing', '', 'timeout', 200],
])('an answer that %s fails', async (_, bytes, reason, milliseconds = 10_000) => {
  answer = bytes
  const asked = requestText(`http://127.0.0.1:${port}`, { isPublic: false, maxBytes: 9, milliseconds })
  await expect(asked).rejects.toThrow(reason)
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { builtProgram } from '@rackfair/testkit'
import { afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createConnection } from '../createConnection.ts'
import { createServer } from '../createServer.ts'
import { type HttpDoor, serveHttp } from './serveHttp.ts'

const KEY = 'a key of thirty-two characters..'.replaceAll(' ', '-')
const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}
const doors: HttpDoor[] = []
let built = ''
beforeAll(async () => {
  built = await builtProgram('mcp')
})
afterEach(() => Promise.all(doors.splice(0).map((door) => door.close())))

async function open(names: readonly string[] = []) {
  // Nothing listens at port 9.
  const connection = createConnection({ RACKFAIR_PLATFORM: 'http://127.0.0.1:9' })
  const door = await serveHttp({ host: '127.0.0.1', port: 0, key: KEY, names, createServer: () => createServer(connection) })
  doors.push(door)
  return door
}

/** Sends what a browser or a client would not let a program send: any host, any origin. */
async function send(url: string, headers: Record<string, string>, body: unknown = INITIALIZE, method = 'POST') {
  const accept = 'application/json, text/event-stream'
  const sent = request(url, {
    method,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', accept, ...headers },
  })
  if ('content-length' in headers) sent.flushHeaders()
  else sent.end(method === 'POST' ? JSON.stringify(body) : undefined)
  const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage]
  const isStream = method === 'GET' && response.statusCode === 200
  let text = ''
  if (!isStream) for await (const chunk of response) text += chunk
  if ('content-length' in headers) sent.destroy()
  return { status: response.statusCode, session: String(response.headers['mcp-session-id']), text, end: () => sent.destroy() }
}

const isKnown = async (url: string, session: string) =>
  (await send(url, { 'mcp-session-id': session }, { jsonrpc: '2.0', id: 2, method: 'ping' })).status === 200

test('the program serves clients that have the key it prints, and ends when it is told to', async () => {
  const env = { PATH: process.env.PATH ?? '', RACKFAIR_PLATFORM: 'http://127.0.0.1:9' }
  const program = spawn(process.execPath, [built, '--http', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void program.kill('SIGKILL'))
  const [printed] = await once(program.stdout, 'data')
  const { type, url, headers } = JSON.parse(String(printed)).mcpServers.rackfair
  expect({ type, url }).toEqual({ type: 'http', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/) })
  const client = new Client({ name: 'test', version: '1' })
  // The library's own types differ about an optional field.
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as never)
  expect((await client.listTools()).tools.length).toBeGreaterThan(5)
  expect(await client.callTool({ name: 'spent', arguments: {} })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^not_connected: .*rackfair key grant/) }],
  })
  const stranger = new StreamableHTTPClientTransport(new URL(url))
  await expect(new Client({ name: 'test', version: '1' }).connect(stranger as never)).rejects.toThrow(
    'The key is missing or wrong',
  )
  program.kill('SIGTERM')
  expect(await once(program, 'exit')).toEqual([0, null])
})

test.each([
  ['no key', { authorization: '' }, 401],
  ['another key', { authorization: `Bearer ${KEY}x` }, 401],
  ['a key of another kind', { authorization: `Basic ${KEY}` }, 401],
  ['a name that leads here', { host: 'rebound.example' }, 403],
  ['a name that begins like ours', { host: 'localhost.rebound.example' }, 403],
  ['a page of another site', { origin: 'https://evil.example' }, 403],
  ['a page without an origin of its own', { origin: 'null' }, 403],
  ['a page of a file', { origin: 'file://' }, 403],
  ['a page that says two', { origin: 'http://localhost, https://evil.example' }, 403],
  ['a session that is not there', { 'mcp-session-id': 'ab9ad1b1-0000-4000-8000-000000000000' }, 404],
])('refuses %s', async (_, headers, status) => {
  const { url } = await open()
  expect(await send(url, headers as Record<string, string>)).toMatchObject({ status, session: 'undefined' })
})

test('lets in its own names, and pages of them', async () => {
  const { url } = await open(['MCP.example.org'])
  const port = new URL(url).port
  for (const headers of [
    { host: `localhost:${port}`, origin: 'http://localhost:5173' },
    { host: `[::1]:${port}` },
    { host: 'mcp.example.org', origin: 'https://mcp.example.org' },
  ])
    expect(await send(url, headers as Record<string, string>)).toMatchObject({ status: 200 })
  expect((await send(url.replace(/mcp$/, 'other'), {})).status).toBe(404)
})

test('refuses what is too large, and what does not begin a session', async () => {
  const { url } = await open()
  const { session } = await send(url, {})
  // By what it says that it is: nothing of it is sent, so that no reset overtakes the answer.
  const large = { 'mcp-session-id': session, 'content-length': String(2 ** 24 + 1) }
  expect((await send(url, large, undefined)).status).toBe(413)
  expect((await send(url, {}, { jsonrpc: '2.0', id: 2, method: 'tools/list' })).status).toBe(400)
  expect((await send(url, {}, undefined, 'GET')).status).toBe(400)
  expect(await isKnown(url, session)).toBe(true)
  expect((await send(url, { 'mcp-session-id': session }, undefined, 'DELETE')).status).toBe(200)
  expect(await isKnown(url, session)).toBe(false)
})

test('keeps 32 sessions: a new one takes the place of the one unused for longest, and of none in use', async () => {
  const { url } = await open()
  const begun: string[] = []
  for (let count = 0; count < 32; count += 1) begun.push((await send(url, {})).session)
  expect(await isKnown(url, begun[0] ?? '')).toBe(true)
  const { session: newest } = await send(url, {})
  expect(await Promise.all([...begun.slice(0, 3), newest].map((session) => isKnown(url, session)))).toEqual([
    true,
    false,
    true,
    true,
  ])

  const used = [...begun.filter((_, at) => at !== 1), newest]
  const streams = await Promise.all(used.map((session) => send(url, { 'mcp-session-id': session }, undefined, 'GET')))
  expect(streams.map(({ status }) => status)).toEqual(used.map(() => 200))
  expect(await send(url, {})).toMatchObject({ status: 503, text: expect.stringContaining('End one of them') })
  streams[7]?.end()
  await expect.poll(async () => (await send(url, {})).status).toBe(200)
  for (const { end } of streams) end()
})

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtProgram, freePort, THROWS_ON_SIGNAL } from '@rackfair/testkit'
import { expect, it, onTestFinished, vi } from 'vitest'

const PROGRAM = await builtProgram('platform')
const LONG = { timeout: 60_000, interval: 50 }
const metric = async (url: string) =>
  /^rackfair_uncaught_errors_total (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]

it('goes on after errors that nothing handled, reports and counts them, and ends where they do not end', async () => {
  const { child, url, said } = await startProgram()
  for (const [index, kind] of ['an event', 'a promise', 'a text'].entries()) {
    child.kill('SIGUSR2')
    await vi.waitFor(async () => expect(await metric(url)).toBe(String(index + 1)), LONG)
    await vi.waitFor(() => expect(said()).toContain(`thrown by the test: ${kind}`), LONG)
  }
  const lines = said()
    .split('\n')
    .filter((line) => line.includes('thrown by the test'))
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 50,
    reason: 'Error: thrown by the test: an event',
    stack: expect.stringContaining('\n    at '),
    uncaught: 1,
    msg: expect.stringContaining('all else goes on'),
  })
  // Whoever read its log has gone.
  child.stdout?.destroy()
  child.kill('SIGUSR2')
  await vi.waitFor(async () => expect(Number(await metric(url))).toBeGreaterThan(3), LONG)
  expect((await fetch(`${url}/healthz`)).ok).toBe(true)
  const ended = once(child, 'exit')
  child.kill('SIGWINCH')
  expect(await ended).toEqual([1, null])
})

it('ends with a sentence where it cannot begin', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  onTestFinished(() => void taken.close())
  const { port } = taken.address() as { port: number }
  const { child, said } = await spawnProgram(port)
  expect(await once(child, 'close')).toEqual([2, null])
  expect(said()).toContain(`port ${port} of 127.0.0.1 is in use`)
})

it('goes on after a visitor who breaks the protocol while its provider is away', async () => {
  const { url } = await startProgram()
  for (let index = 0; index < 3; index += 1) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => {})
    const ended = new Promise((resolve) => socket.once('close', resolve))
    socket.resume()
    socket.write(handshake(`/v1/workspace/0x${'1'.repeat(40)}`))
    socket.write(Buffer.from([0xff, 0x05, 1, 2, 3, 4, 5]))
    await ended
  }
  expect(await metric(url)).toBe('0')
})

it('ends a WebSocket that it refuses, though its caller neither closes nor falls silent', async () => {
  const { url } = await startProgram()
  const refused = async (path: string) => {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true })
    let heard = ''
    socket.on('error', () => {}).on('data', (chunk) => (heard += chunk.toString('latin1')))
    const ended = new Promise((resolve) => socket.once('close', resolve))
    socket.write(handshake(path))
    const sending = setInterval(() => socket.write(Buffer.from([0x82, 0x81, 0, 0, 0, 0, 1])), 10)
    await ended
    clearInterval(sending)
    return heard
  }
  const [none, nobody, away] = await Promise.all(
    ['/v1/nothing', '/v1/workspace/0x1', `/v1/workspace/0x${'1'.repeat(40)}`].map(refused),
  )
  expect([none, nobody]).toEqual([expect.stringContaining('404'), expect.stringContaining('404')])
  expect(away).toContain('provider_offline')
})

const handshake = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`

async function startProgram() {
  const port = await freePort()
  const { child, said } = await spawnProgram(port)
  await vi.waitFor(() => expect(said()).toContain('platform is listening'), LONG)
  return { child, said, url: `http://127.0.0.1:${port}` }
}

async function spawnProgram(port: number): Promise<{ child: ChildProcess; said: () => string }> {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-survives-'))
  const deployment = join(folder, 'deployment.json')
  const address = `0x${'1'.repeat(40)}`
  const addresses = { access: address, registry: address, pledge: address, market: address, credit: address, monitors: address }
  writeFileSync(deployment, JSON.stringify({ chainId: 1985, ...addresses }))
  const args = ['--rpc', 'http://127.0.0.1:9', '--deployment', deployment, '--data', folder, '--port', String(port)]
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...THROWS_ON_SIGNAL },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk))
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  })
  return { child, said: () => text }
}

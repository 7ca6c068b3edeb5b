import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePorts, pidOf } from '@rackfair/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { rpc } from './rpc.ts'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))
const LONG = { timeout: 180_000, interval: 100 }

let market: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  market = await setup()
}, 600_000)
afterAll(async () => {
  await market.stop()
  rmSync(market.folder, { recursive: true, force: true })
}, 60_000)

test('serves the web app, the API and a chain that the platform follows', async () => {
  expect(await text('/')).toContain('<title>')
  expect(await json('/v1/config')).toMatchObject({ chainId: 2985, faucet: true })
  await vi.waitFor(async () => expect(await indexedBlock()).toBeGreaterThan(0), LONG)
})

test('answers all its users, who share an address, however often they ask', async () => {
  const ask = async () => (await fetch(`${market.url}/v1/auth/nonce`, { method: 'POST' })).status
  expect(new Set(await Promise.all(Array.from({ length: 60 }, ask)))).toEqual(new Set([200]))
})

test('restarts every killed process, and carries on', async () => {
  const before = await blockOf()
  for (const name of ['platform', 'chain'] as const) {
    const killed = pidOf(market.stateDir, name)
    process.kill(killed, 'SIGKILL')
    await vi.waitFor(() => expect(pidOf(market.stateDir, name)).not.toBe(killed), LONG)
    await vi.waitFor(async () => expect((await fetch(`${market.url}/readyz`)).status).toBe(200), LONG)
  }
  await vi.waitFor(() => rpc(market.rpcUrl, 'anvil_mine', ['0x1']), LONG)
  await vi.waitFor(async () => expect(await indexedBlock()).toBeGreaterThan(before), LONG)
})

test('refuses a second market on the same ports with an explanation, and changes nothing', async () => {
  const other = mkdtempSync(join(tmpdir(), 'rackfair-other-'))
  const refused = await run(['--state', other, ...market.ports])
  rmSync(other, { recursive: true })
  expect(refused.code).toBe(1)
  expect(refused.output).toMatch(/Port \d+ is in use\. .* npm start -- --port N/)
  expect((await fetch(`${market.url}/readyz`)).status).toBe(200)
})

test('finds the same chain after a restart', async () => {
  const genesis = await block('0x1')
  await market.stop()
  await expect(fetch(market.url)).rejects.toThrow()
  expect(existsSync(join(market.stateDir, 'market.json'))).toBe(false)
  await market.start()
  expect(await block('0x1')).toEqual(genesis)
})

test('stops when its terminal is closed', async () => {
  await market.closeTerminal()
  await expect(fetch(market.url)).rejects.toThrow()
  await expect(rpc(market.rpcUrl, 'eth_blockNumber')).rejects.toThrow()
  expect(existsSync(join(market.stateDir, 'market.json'))).toBe(false)
})

async function setup() {
  // As long as a folder's path may become, with blanks: sockets and some programs take only short ones.
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-market-'))
  const stateDir = join(folder, ...Array.from({ length: 5 }, (_, at) => `a folder whose name is not short ${at}`))
  const [port = 0, rpcPort = 0, gatewayPort = 0] = await freePorts(3)
  const ports = ['--port', String(port), '--rpc-port', String(rpcPort), '--gateway-port', String(gatewayPort)]
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  const start = async () => {
    const started = spawn(process.execPath, [main, 'start', '--no-agent', '--state', stateDir, ...ports], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child = started
    await new Promise<void>((resolve, reject) => {
      let output = ''
      started.stdout.on('data', (chunk: Buffer) => {
        output += chunk
        if (output.includes(`${url}\n`)) resolve()
      })
      started.once('exit', (code) => reject(new Error(`the market ended with ${code}:\n${output}`)))
    })
  }
  const stop = async (signal: NodeJS.Signals = 'SIGINT') => {
    if (!child || child.exitCode !== null) return
    const exited = new Promise((resolve) => child?.once('exit', resolve))
    child.kill(signal)
    await exited
  }
  const closeTerminal = async () => {
    child?.stdout?.destroy()
    await stop('SIGHUP')
  }
  await start()
  return { folder, stateDir, ports, url, rpcUrl: `http://127.0.0.1:${rpcPort}`, start, stop, closeTerminal }
}

function run(args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(process.execPath, [main, 'start', '--no-agent', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    child.once('exit', (code) => resolve({ code, output }))
  })
}

const text = async (path: string) => (await fetch(market.url + path)).text()
const json = async (path: string) => (await fetch(market.url + path)).json()
const indexedBlock = async () => Number((await fetch(`${market.url}/v1/global/`)).headers.get('x-rackfair-block'))
const blockOf = async () => Number(await rpc(market.rpcUrl, 'eth_blockNumber'))
const block = (number: string) => rpc(market.rpcUrl, 'eth_getBlockByNumber', [number, false])

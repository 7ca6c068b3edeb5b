import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtProgram } from '@rackfair/testkit'
import { expect, it, onTestFinished, vi } from 'vitest'
import { parseSettings } from '../src/settings/parseSettings.ts'

const PROGRAM = await builtProgram('platform')
const LONG = { timeout: 60_000, interval: 50 }
const KEY = '0123456789abcdef0123456789abcdef'

it('keeps the key of its chain’s node out of its state and its log when the node fails', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-secret-'))
  const deployment = join(folder, 'deployment.json')
  const address = `0x${'1'.repeat(40)}`
  const addresses = { access: address, registry: address, pledge: address, market: address, credit: address, monitors: address }
  writeFileSync(deployment, JSON.stringify({ chainId: 1985, ...addresses }))
  const rpc = `http://user:${KEY}@127.0.0.1:9/v3/${KEY}?key=${KEY}`
  const args = ['--rpc', rpc, '--public-rpc-url', 'http://127.0.0.1:9', '--deployment', deployment, '--data', folder]
  const child = spawn(process.execPath, [PROGRAM, '--port', '0', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(async () => {
    const ended = once(child, 'close')
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk))
  // The indexer may fail before the server listens, and says so once.
  await vi.waitFor(() => expect(said).toMatch(/"url":"http/), LONG)
  await vi.waitFor(() => expect(said).toContain('waiting and trying again'), LONG)
  const url = /"url":"(http:\/\/[^"]+)"/.exec(said)?.[1]
  await vi.waitFor(async () => {
    const state = await (await fetch(`${url}/readyz`)).text()
    expect(JSON.parse(state)).toMatchObject({ ready: false, code: 'not_ready', reason: 'the chain’s node: HTTP request failed.' })
    expect(state).not.toContain(KEY)
  }, LONG)
  expect(said).not.toContain(KEY)
})

it('reads the addresses of database and chain from files, and discloses nothing of their content', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-secret-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [deployment, secret, empty] = ['deployment.json', 'database', 'empty'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const address = `0x${'1'.repeat(40)}`
  const addresses = { access: address, registry: address, pledge: address, market: address, credit: address, monitors: address }
  writeFileSync(deployment, JSON.stringify({ chainId: 1985, ...addresses }))
  writeFileSync(secret, `postgresql://rackfair:${KEY}@127.0.0.1/rackfair\n`)
  writeFileSync(empty, '\n')
  const read = (file: string, more: string[] = []) =>
    parseSettings(['--rpc', 'http://127.0.0.1:9', '--deployment', deployment, '--database-url-file', file, ...more], {})
  expect(read(secret).databaseUrl).toBe(`postgresql://rackfair:${KEY}@127.0.0.1/rackfair`)
  expect(() => read(empty)).toThrow('is empty')
  expect(() => read(join(folder, 'none'))).toThrow('cannot be read')
  const onChain = (rpc: string, ...more: string[]) => {
    writeFileSync(join(folder, 'rpc'), `${rpc}\n`)
    return parseSettings(['--rpc-file', join(folder, 'rpc'), '--deployment', deployment, ...more], {})
  }
  const seen = ['--public-rpc-url', 'http://127.0.0.1:9']
  const rpc = `https://rpc.example/v3/${KEY}`
  expect(onChain(rpc, ...seen)).toMatchObject({ rpcUrl: rpc, publicRpcUrl: 'http://127.0.0.1:9' })
  expect(() => onChain(rpc)).toThrow('--public-rpc-url is missing: browsers are told no secret')
  expect(() => onChain(rpc, ...seen, '--rpc', rpc)).toThrow('--rpc and --rpc-file name the same: leave one out')
  expect(() => onChain(KEY, ...seen)).toThrow(/^the file of --rpc-file holds no http address$/)
  expect(onChain(rpc, ...seen, '--ws-file', secret).wsUrl).toContain(KEY)

  expect(read(secret, ['--min-agent-version', '0.2.0']).minAgentVersion).toBe('0.2.0')
  expect(() => read(secret, ['--min-agent-version', 'latest'])).toThrow('three numbers')
})

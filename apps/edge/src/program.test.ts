import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect as connectTcp } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtProgram, freePort, freePorts, type MonitoredMarket, startMonitoredMarket } from '@rackfair/testkit'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { dialBack } from './testing/dialBack.ts'

const PROGRAM = await builtProgram('edge')
const GUIDE = readFileSync(join(import.meta.dirname, '../../../docs/guides/en/edges.md'), 'utf8')
const LONG = { timeout: 60_000, interval: 50 }

describe('the edge as a process, as the guide starts it', () => {
  let market: MonitoredMarket
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-edge-program-'))
  beforeAll(async () => {
    market = await startMonitoredMarket({ monitors: 0, orders: 0 })
  })
  afterAll(async () => {
    await market.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const [fingerprint = '', run = ''] = /^```\n([\s\S]*?)^```$/m.exec(GUIDE)?.[1]?.trim().split('\n') ?? []
  const start = (line: string, more: readonly string[] = []) => {
    const args = line
      .replace('node apps/edge/src/main.ts ', '')
      .replace('https://rpc.example', market.rpcUrl)
      .replace('0x…', market.chain.deployment.access)
      .replace('/var/lib/edge', folder)
      .split(' ')
    const child = spawn(process.execPath, [PROGRAM, ...args, ...more], { stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk))
    onTestFinished(() => killed(child))
    return { child, said: () => text }
  }

  it('serves the registered provider alone, keeps its certificate, reads its rules again, and ends when it is told to', async () => {
    const printed = start(fingerprint)
    await once(printed.child, 'close')
    expect(printed.said()).toMatch(/^[0-9a-f]{64}\n$/)
    const rules = join(folder, 'rules.json')
    writeFileSync(rules, JSON.stringify({ names: { [market.provider.address]: 'atlas' } }))
    const [control, dial, tls, plain] = (await freePorts(4)) as [number, number, number, number]
    const raw = await freePort()
    const ports = { 'control-port': control, 'dial-port': dial, 'tls-port': tls, 'plain-port': plain, 'metrics-port': 0 }
    const { child, said } = start(run, [
      ...Object.entries(ports).map(([name, port]) => `--${name}=${port}`),
      ...[`--raw-ports=${raw}-${raw + 3}`, `--rules=${rules}`, '--host=127.0.0.1', '--drain=0'],
      ...[`--dns=${join(folder, 'dns')}`, '--dns-port=5353'],
    ])
    await vi.waitFor(() => expect(said()).toContain('"msg":"open"'), LONG)
    expect(said()).toContain(printed.said().trim())
    const at = { ports: { control, dial, tls, plain } }
    const chainId = await market.client.getChainId()

    const stranger = await dialBack(at, { chainId })
    await stranger.hello()
    expect(await stranger.next('refused')).toMatchObject({ code: 'not_signed' })
    const { operator } = market
    const provider = market.provider.address
    const peer = await dialBack(at, {
      chainId,
      account: operator as never,
      provider,
      serve: (socket) => void socket.pipe(socket),
    })
    onTestFinished(() => peer.close())
    const { name, rawPort, dns } = await peer.enter()
    expect([name, rawPort, dns?.port]).toEqual(['atlas.edge.example', raw, 5353])
    const zones = readFileSync(join(folder, 'dns', 'providers.conf'), 'utf8')
    expect(zones).toContain(
      `  - id: _acme-challenge.atlas.edge.example\n    algorithm: hmac-sha256\n    secret: ${dns?.secret}\n`,
    )
    const visitor = connectTcp(rawPort, '127.0.0.1')
    visitor.on('error', () => {})
    visitor.write('hello')
    expect(String((await once(visitor, 'data'))[0])).toBe('hello')
    const metrics = await (await fetch(`http://127.0.0.1:${/"metrics":(\d+)/.exec(said())?.[1]}/metrics`)).text()
    expect(metrics).toContain('rackfair_edge_agents 1')

    writeFileSync(rules, '{')
    child.kill('SIGHUP')
    await vi.waitFor(() => expect(said()).toContain('the rules stay as they were'), LONG)
    expect(visitor.destroyed).toBe(false)
    writeFileSync(rules, JSON.stringify({ blocked: [provider] }))
    child.kill('SIGHUP')
    await Promise.all([peer.isClosed(), new Promise((resolve) => visitor.resume().once('close', resolve))])
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  it.each([
    ['--raw-ports=80-90', '--raw-ports 80-90'],
    ['--tls-port=70000', '--tls-port 70000'],
    ['--rules=/nowhere', '/nowhere cannot be read'],
  ])('says what is wrong with %s, and that a restart would not help', async (option, sentence) => {
    const { child, said } = start(run, [option, '--host=127.0.0.1', '--control-port=0'])
    expect(await once(child, 'close')).toEqual([78, null])
    expect(said()).toContain(sentence)
  })
})

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

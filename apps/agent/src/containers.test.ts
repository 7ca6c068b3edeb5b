import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect as connectTo, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChain } from '@rackfair/testkit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { RECIPES_TAR } from './testing/cleanMachine.ts'
import { guideBlocks, guideCommands } from './testing/guideText.ts'
import { killProcess } from './testing/killProcess.ts'
import { isDeep } from './testing/ownImageBase.ts'
import { temporaryFolder } from './testing/temporaryFolder.ts'
import { whyNoMachines } from './testing/whyNoMachines.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const LONG = { timeout: 240_000, interval: 500 }
/** An address of this test's namespace that containers reach. */
const HERE = '198.51.100.2'
const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

function whyNotHere(): string | undefined {
  if (!isDeep) return 'in npm run test:deep'
  return (
    whyNoMachines() ??
    (has('podman-compose') ? undefined : 'no podman-compose') ??
    (existsSync(RECIPES_TAR) ? undefined : 'no Debian: its packages could not be fetched when the images were made')
  )
}
const reason = whyNotHere()

/**
 * The containers of the guide for operators, by its own commands, in a podman of this test. Different here: the RPC, folders, a certificate
 * of our own, and the source of Debian's packages, since nothing outside is reached.
 */
describe.skipIf(reason)(`the market in containers, as documented (${reason ?? 'here'})`, { timeout: 900_000 }, () => {
  const folder = temporaryFolder('containers')
  const market = join(folder, 'containers')
  const certificate = join(folder, 'live/fullchain.pem')
  // The test sets NODE_ENV itself; an operator builds for production.
  const env = { ...process.env, NODE_ENV: undefined, PATH: `${join(folder, 'bin')}:${process.env.PATH}` }
  const podman = (...args: string[]) =>
    execFileSync('podman', args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  const inDatabase = (sql: string) =>
    podman('exec', 'containers_database_1', 'psql', '-h', '/tmp', '-tA', '-c', sql, 'rackfair').trim()
  const secret = (name: string) => readFileSync(join(market, 'secrets', name), 'utf8').trim()
  const closing: (() => unknown)[] = []
  const lines = (guideBlocks('operators', 'sh')[0] ?? '').trim().split('\n')
  let rpc = ''

  const replace = (line: string) =>
    [
      ['/srv/rackfair/web', join(folder, 'web')],
      ['/srv/rackfair/containers', market],
      ['contracts/deployments/985.json', join(folder, 'deployment.json')],
      ['/etc/rackfair/site.json', join(folder, 'site.json')],
      ['/etc/letsencrypt/live/market.example', join(folder, 'live')],
      ['https://rpc.example', rpc],
    ].reduce((text, [from = '', to = '']) => text.replaceAll(from, to), line)
  const shell = async (script: string, cwd = ROOT) => {
    // A file, since a pipe would only end with the processes that keep running, such as the containers' name server.
    const file = join(folder, 'output')
    const output = openSync(file, 'w')
    const child = spawn('sh', ['-ec', script], { cwd, env, stdio: ['ignore', output, output] })
    const code = await new Promise((resolve) => child.once('exit', resolve))
    closeSync(output)
    expect(code, `${script}\n${readFileSync(file, 'utf8')}`).toBe(0)
  }
  /** Sends a request through the proxy, as a visitor does. */
  const ask = (path: string, ...args: string[]) => {
    const known = ['--resolve', 'market.example:443:127.0.0.1', '--cacert', certificate]
    const asked = spawnSync('curl', ['-sS', '-w', '\n%{http_code}', ...known, ...args, `https://market.example${path}`], {
      encoding: 'utf8',
    })
    const [, body = '', status = '0'] = /^([\s\S]*)\n(\d+)$/.exec(asked.stdout) ?? []
    return { status: Number(status), body: body || asked.stderr }
  }
  const isReady = () => vi.waitFor(() => expect(ask('/readyz')).toMatchObject({ status: 200 }), LONG)

  beforeAll(async () => {
    mkdirSync(join(folder, 'bin'))
    mkdirSync(join(folder, 'live'))
    const own = ['root', 'runroot', 'tmpdir'].map((option) => `--${option}=${join(folder, option)}`)
    const wrapper = join(folder, 'bin/podman')
    const networks = `--network-config-dir=${join(folder, 'networks')}`
    writeFileSync(wrapper, `#!/bin/sh\nexec /usr/bin/podman ${own.join(' ')} ${networks} --cgroup-manager=cgroupfs "$@"\n`)
    chmodSync(wrapper, 0o755)
    podman('import', '--quiet', RECIPES_TAR, 'docker.io/library/debian:bookworm-slim')

    const chain = await startChain()
    closing.push(() => chain.stop())
    writeFileSync(join(folder, 'deployment.json'), JSON.stringify(chain.deployment))
    // The chain listens only on the host's loopback, which containers do not share.
    const port = Number(new URL(chain.rpcUrl).port)
    const relay = createServer((visitor) => {
      const onward = connectTo(port, '127.0.0.1')
      visitor.pipe(onward).pipe(visitor)
      visitor.on('error', () => onward.destroy())
      onward.on('error', () => visitor.destroy())
    })
    await new Promise<void>((resolve) => relay.listen(0, HERE, resolve))
    closing.push(() => relay.close())
    rpc = `http://${HERE}:${(relay.address() as { port: number }).port}`

    writeFileSync(join(folder, 'site.json'), guideBlocks('operators', 'json')[0] ?? '')
    const subject = ['-subj', '/CN=market.example', '-addext', 'subjectAltName=DNS:market.example', '-days', '1', '-nodes']
    const files = ['-keyout', join(folder, 'live/privkey.pem'), '-out', certificate]
    execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', ...subject, ...files], {
      stdio: 'ignore',
    })
    const build = guideCommands('operators').filter((line) => line.includes('--outDir') || line.includes('apps/docs/build.ts'))
    for (const line of build.slice(0, 2)) await shell(replace(line))
  }, 600_000)
  afterAll(async () => {
    if (existsSync(market)) spawnSync('podman-compose', ['down', '--volumes'], { cwd: market, env })
    spawnSync('podman', ['rm', '--all', '--force', '--time', '0'], { env })
    for (const close of closing.reverse()) await close()
    spawnSync('sh', ['-c', 'grep -F " $0/" /proc/self/mounts | cut -d " " -f 2 | tac | xargs -r umount -l', folder])
  }, 120_000)

  it('starts as documented', async () => {
    const up = lines.at(-1) ?? ''
    expect(up).toMatch(/^podman-compose up /)
    await shell(lines.slice(0, -1).map(replace).join('\n'))
    writeFileSync(join(market, '.env'), replace(guideBlocks('operators', 'ini')[0] ?? ''))
    await shell(up, market)
    await isReady()
    expect(JSON.parse(ask('/v1/config').body)).toMatchObject({ chainId: 2985, contact: 'hello@market.example' })
    expect(ask('/')).toMatchObject({ status: 200, body: expect.stringContaining('<title>') })
    expect(ask('/docs/')).toMatchObject({ status: 200, body: expect.stringContaining('<title>') })
    expect(ask('/reference/')).toMatchObject({ status: 200 })
    expect(ask('/metrics')).toMatchObject({ status: 403 })
    expect(await (await fetch('http://127.0.0.1:3000/metrics')).text()).toMatch(/^rackfair_indexed_block \d/m)
  })

  it('exposes secrets only where they are needed', () => {
    const secrets = [secret('database-password'), secret('privkey.pem').split('\n')[1] ?? '']
    const names = podman('ps', '--format', '{{.Names}}').trim().split('\n').sort()
    expect(names).toEqual(['containers_database_1', 'containers_platform_1', 'containers_proxy_1'])
    for (const one of secrets) expect(podman('inspect', ...names)).not.toContain(one)
    for (const name of names) {
      const [about] = JSON.parse(podman('inspect', name)) as [{ State: { Pid: number }; EffectiveCaps: unknown[] | null }]
      expect(about.EffectiveCaps ?? []).toEqual([])
      const inside = (file: string) => readFileSync(`/proc/${about.State.Pid}/${file}`, 'utf8')
      expect(inside('status')).toMatch(/^Uid:\t[1-9]/m)
      for (const one of secrets) expect(inside('environ') + inside('cmdline')).not.toContain(one)
      const seen = readdirSync(`/proc/${about.State.Pid}/root/run/secrets`).sort()
      expect(seen.includes('database-password')).toBe(name.includes('database'))
      expect(seen.includes('certificate-key')).toBe(name.includes('proxy'))
      expect(podman('exec', name, 'sh', '-c', 'touch /etc/written 2>/dev/null || echo refused')).toBe('refused\n')
    }
  })

  it('loses nothing when a part or all of it is recreated', async () => {
    const subscribed = ask('/v1/newsletter', '--json', JSON.stringify({ email: 'reader@rackfair.example', locale: 'en' }))
    expect(subscribed, subscribed.body).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) })
    const known = () => inDatabase('select email from newsletter')
    expect(known()).toBe('reader@rackfair.example')
    for (const again of ['podman-compose restart platform', 'podman-compose restart', `podman-compose down && ${lines.at(-1)}`]) {
      await shell(again, market)
      await isReady()
      expect(known(), again).toBe('reader@rackfair.example')
    }
    killProcess(podman('inspect', '--format', '{{.State.Pid}}', 'containers_database_1'))
    await vi.waitFor(() => expect(known()).toBe('reader@rackfair.example'), LONG)
    await isReady()
  })
})

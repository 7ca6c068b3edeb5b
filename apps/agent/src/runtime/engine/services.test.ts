import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseApplication } from '@rackfair/app-spec/services/parseApplication'
import type { DeploymentDetails } from '@rackfair/protocol/deployments'
import { whyItRests } from '@rackfair/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Command } from '../../db/openAgentDb.ts'
import { runCommand } from '../../foundation/runCommand.ts'
import type { Run } from '../../orders/reconcile/Run.ts'
import { ownApplication } from '../../presets/ownApplication.ts'
import { bringServices, makeServices, serviceSteps } from '../../testing/bringServices.ts'
import { debianLayer } from '../../testing/ownImageBase.ts'
import { setupRuntime, type TestRuntime } from '../../testing/setupRuntime.ts'
import { startRegistry, type TestRegistry, whyNoRegistry } from '../../testing/startRegistry.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'
import { startFakeOutside } from './fakeOutside.ts'
import { mountPoints } from './mountPoints.ts'
import { workloadName } from './names.ts'

const reason = whyNoContainers() ?? whyNoRegistry() ?? whyItRests('services')
const [SHOP, NEIGHBOUR] = [1n, 2n]
const ALLOWANCE = { cores: 1, memoryBytes: 256 * 2 ** 20, diskBytes: 2 * 2 ** 30, gpus: [] }
const LONG = { timeout: 60_000, interval: 100 }
const SERVICES = ['cache', 'db', 'migrate', undefined] as const

/** It answers with what the others tell it, whom it knows by name. */
const WEB = `
import http.server, pathlib, socket
def ask(host, port):
  with socket.create_connection((host, port), 5) as s:
    s.sendall(b'PING\\r\\n')
    return s.recv(100).decode().strip()
class Page(http.server.BaseHTTPRequestHandler):
  def do_GET(self):
    try:
      text = ask('db', 5432) + ' ' + ask('store', 6379) + ' ' + pathlib.Path('/seen/migrated').read_text()
    except Exception as error:
      text = repr(error)
    self.send_response(200)
    self.end_headers()
    self.wfile.write(text.encode())
http.server.HTTPServer(('', 8000), Page).serve_forever()
`
/** Healthy only a while after it has begun. */
const DB = `
import pathlib, socket, time
time.sleep(1)
s = socket.create_server(('', 5432))
pathlib.Path('/tmp/up').touch()
print('db is up', flush=True)
while True:
  c, who = s.accept()
  c.sendall(pathlib.Path('/data/rows').read_bytes() if pathlib.Path('/data/rows').exists() else b'no rows')
  c.close()
`
const LOOPBACK = `import http.server; http.server.HTTPServer(('127.0.0.1', 9000), http.server.BaseHTTPRequestHandler).serve_forever()`

describe.skipIf(reason)(`several services of one order (${reason ?? 'here'})`, () => {
  let registry: TestRegistry
  let market: TestRuntime
  let outside: Awaited<ReturnType<typeof startFakeOutside>>
  let neighbour = ''
  const details: DeploymentDetails = {}
  const stop: (() => unknown)[] = []

  const command = { orderId: SHOP, deploymentId: 'shop' } as Command
  const application = () => {
    const image = `${registry.host}/apps/shell:1`
    const read = parseApplication({
      services: {
        web: {
          image,
          args: ['python3', '-uc', WEB],
          user: 'www-data',
          ports: [{ protocol: 'http', port: 8000 }],
          volumes: { '/seen': 'shared' },
          after: { db: 'healthy', migrate: 'done', cache: 'started' },
        },
        migrate: {
          image,
          args: ['sh', '-c', 'echo $WORD; echo -n $WORD > /out/migrated; chmod 644 /out/migrated'],
          secrets: { WORD: 'MIGRATION_WORD' },
          once: true,
          volumes: { '/out': 'shared' },
          after: { db: 'healthy' },
        },
        db: {
          image,
          args: ['python3', '-uc', DB],
          volumes: { '/data': 'rows' },
          check: { command: ['test', '-e', '/tmp/up'], every: 1 },
          memory: 64 * 2 ** 20,
        },
        cache: { image: `${registry.host}/apps/redis:1`, aliases: ['store'] },
      },
    })
    if (!read.application) throw new Error(JSON.stringify(read.problems))
    return ownApplication(read.application, { MIGRATION_WORD: 'done-by-secret' })
  }
  const stepsOf = () => serviceSteps(market.runtime, command, { details })
  const brought = (deploymentId = command.deploymentId) => ({
    ...{ orderId: SHOP, deploymentId, application: application(), allowance: ALLOWANCE, note: 'the shop' },
  })
  const bring = (runtime = market.runtime) => bringServices(runtime, brought())
  const page = async () => {
    const { upstream } = (await market.runtime.find(SHOP)) ?? {}
    return fetch(`http://${upstream?.address}:8000/`).then(
      (answer) => answer.text(),
      (error) => String(error),
    )
  }
  const inside = (service: string | undefined, line: string) => market.inside(SHOP, line, '/bin/bash', service)
  const reach = async (service: string | undefined, host: string, port: number) =>
    (await inside(service, `timeout 2 bash -c 'exec 3<>/dev/tcp/${host}/${port}'`)).code === 0

  beforeAll(async () => {
    outside = await startFakeOutside([80])
    stop.unshift(() => outside.close())
    registry = await startRegistry()
    stop.unshift(() => registry.close())
    market = await setupRuntime({ resolvers: [outside.public], ownImages: { localRegistries: [registry.host] } })
    stop.unshift(() => market.close())
    const layers = [await debianLayer()]
    await registry.push('apps/shell', '1', { layers, config: { Cmd: ['sleep', 'infinity'] } })
    const redis = { Entrypoint: ['redis-server'], Cmd: ['--protected-mode', 'no'], User: 'redis', WorkingDir: '/tmp' }
    await registry.push('apps/redis', '1', { layers, config: redis })
    const serve = { args: ['python3', '-m', 'http.server', '8000'], ports: [{ protocol: 'tcp', port: 8000 }] }
    neighbour = (await market.runOwn(NEIGHBOUR, { image: `${registry.host}/apps/shell:1`, ...serve }, ALLOWANCE)).address
    await bring()
  }, 600_000)
  afterAll(async () => {
    for (const one of stop) await one()
  })

  it('start in order, find each other by name and share what they name', async () => {
    await expect.poll(page, LONG).toBe('no rows +PONG done-by-secret')
    expect((await market.runtime.find(SHOP, 'migrate'))?.running).toBe(false)
    expect(await market.runtime.logs(SHOP, 10, 'migrate')).toContain('done-by-secret')
    expect(await market.runtime.logs(SHOP, 10, 'db')).toContain('db is up')
    expect((await inside('db', 'hostname; cat /etc/resolv.conf')).output).toBe(`db\nnameserver ${outside.public}\n`)
    for (const service of ['db', undefined]) expect((await inside(service, 'cat "$RACKFAIR_AGENTS_MD"')).output).toBe('the shop')
    stepsOf().tell(command, await stepsOf().look({ command, application: application() }))
    expect(details.services).toEqual([
      { service: 'web', state: 'running' },
      { service: 'cache', state: 'running' },
      { service: 'db', state: 'running' },
      { service: 'migrate', state: 'done', code: 0 },
    ])
  })

  it('are each behind all walls but those between them', async () => {
    const gateway = neighbour.replace(/\.\d+$/, '.1')
    const own = (await market.runtime.find(SHOP))?.upstream?.address.replace(/\.\d+$/, '') ?? ''
    const registryPort = Number(new URL(`http://${registry.host}`).port)
    await inside('db', `python3 -c "${LOOPBACK}" > /dev/null 2>&1 &`)
    const open = async (service: string | undefined, places: readonly (readonly [string, number])[]) => {
      const each = places.map(
        ([host, port]) => `(timeout 3 bash -c 'exec 3<>/dev/tcp/${host}/${port}' && echo ${host}:${port}) &`,
      )
      const { output } = await inside(service, `{ ${each.join(' ')} wait; } 2>/dev/null`)
      return output.trim().split('\n').sort()
    }
    for (const service of ['db', 'cache', undefined] as const) {
      const shut = [
        [neighbour, 8000],
        [gateway, registryPort],
        [`${own}.17`, registryPort],
        [outside.hostAddress, registryPort],
        [outside.private, 80],
        [outside.linkLocal, 80],
        ['db', 9000],
      ] as const
      const siblings = [
        [outside.public, 80],
        ['cache', 6379],
        ['db', 5432],
        ['web', 8000],
      ] as const
      expect(
        await open(
          service,
          [...siblings, ...shut].filter(([host]) => service !== 'db' || host !== 'db'),
        ),
      ).toEqual(
        siblings
          .filter(([host]) => service !== 'db' || host !== 'db')
          .map(([host, port]) => `${host}:${port}`)
          .sort(),
      )
      const { output } = await inside(
        service,
        'grep -E "CapBnd|NoNewPrivs|Seccomp:" /proc/1/status; ip addr add 10.1.2.3/24 dev eth0',
      )
      expect(output).toMatch(/CapBnd:\s+00000000000404fb[\s\S]*NoNewPrivs:\s+1[\s\S]*Seccomp:\s+2/)
      expect((await inside(service, 'echo 1.2.3.4 x > /etc/hosts')).code).not.toBe(0)
    }
    expect((await market.inside(NEIGHBOUR, `timeout 2 bash -c 'exec 3<>/dev/tcp/${own}.18/8000'`)).code).not.toBe(0)
  })

  it('reach each other also where the kernel passes frames of a bridge through the firewall, and only each other', async () => {
    const setting = '/proc/sys/net/bridge/bridge-nf-call-iptables'
    if (!existsSync(setting)) return
    const before = readFileSync(setting, 'utf8').trim()
    try {
      for (const value of ['0', '1']) {
        await runCommand('sh', ['-c', `echo ${value} > ${setting}`])
        expect(await reach('db', 'cache', 6379), value).toBe(true)
        expect(await reach('db', neighbour, 8000), value).toBe(false)
      }
    } finally {
      await runCommand('sh', ['-c', `echo ${before} > ${setting}`])
    }
  })

  it('share what was bought: one that takes too much ends, the others go on', async () => {
    expect((await inside(undefined, "awk '/MemTotal/ {print $2 * 1024}' /proc/meminfo")).output.trim()).toBe(
      String(ALLOWANCE.memoryBytes),
    )
    const eat = "python3 -c 'b = bytearray(400 * 2**20); print(len(b))'"
    for (const service of ['cache', 'db', undefined]) {
      expect((await inside(service, eat)).code, service).not.toBe(0)
      await expect.poll(page, LONG).toBe('no rows +PONG done-by-secret')
    }
    const usage = await market.runtime.usage(SHOP)
    expect(usage).toMatchObject({ cores: 1, memoryLimitBytes: ALLOWANCE.memoryBytes })
    expect((await market.runtime.usage(SHOP, 'db'))?.memoryLimitBytes).toBe(64 * 2 ** 20)
    expect((await market.runtime.usage(SHOP, ''))?.memoryBytes ?? 0).toBeLessThan(usage?.memoryBytes ?? 0)
  })

  it('fill their disk together, and nobody else’s', async () => {
    expect((await inside('cache', 'dd if=/dev/zero of=/tmp/full bs=1M count=4000')).output).toContain('No space left')
    expect((await inside('db', 'dd if=/dev/zero of=/data/more bs=1M count=1')).output).toContain('No space left')
    expect((await market.inside(NEIGHBOUR, 'dd if=/dev/zero of=/more bs=1M count=10 && echo written')).output).toContain(
      'written',
    )
    expect(await page()).toBe('no rows +PONG done-by-secret')
    expect((await inside('cache', 'rm /tmp/full')).code).toBe(0)
    expect((await inside('db', 'rm -f /data/more; echo 1 > /data/probe && rm /data/probe && echo written')).output).toContain(
      'written',
    )
  })

  it('one that ends is seen to have ended, why, and is started again where it was', async () => {
    const before = (await market.runtime.find(SHOP, 'db'))?.upstream?.address
    await inside('db', 'echo -n kept > /data/rows')
    await market.runtime.stopService(SHOP, 'db')
    expect((await market.runtime.find(SHOP, 'db'))?.running).toBe(false)
    expect(await page()).toMatch(/refused|timed out|unreachable/i)
    const run = { command, application: application() } as Run
    expect(stepsOf().lacking(await stepsOf().look(run))).toEqual(['db'])
    await stepsOf().start(run)
    await expect.poll(page, LONG).toBe('kept +PONG done-by-secret')
    expect((await market.runtime.find(SHOP, 'db'))?.upstream?.address).toBe(before)
    // The migration has run, and is not begun again.
    expect((await market.runtime.find(SHOP, 'migrate'))?.running).toBe(false)
  })

  it('are found again by an agent that starts anew, and left as they are', async () => {
    const starts = async (runtime = market.runtime) =>
      Promise.all(SERVICES.map(async (service) => (await runtime.find(SHOP, service))?.upstream?.start))
    const before = await starts()
    await market.killEngine()
    const later = await market.open()
    expect(
      (await later.list())
        .filter(({ orderId }) => orderId === SHOP)
        .map(({ service }) => service)
        .sort(),
    ).toEqual([...SERVICES].sort())
    await bring(later)
    expect(await starts(later)).toEqual(before)
    expect((await later.usage(SHOP))?.processes).toBeGreaterThan(5)
    await later.close({ stopWorkloads: false })
    await market.runtime.check()
    expect(await page()).toBe('kept +PONG done-by-secret')
  })

  it('are brought up by an agent that starts anew after it and the engine were killed in between', async () => {
    const links = async () =>
      (await runCommand('ip', ['-o', 'link'])).stdout.match(new RegExp(`rl${market.instance}-1`, 'g'))?.length
    const all = await links()
    await market.runtime.stop(SHOP)
    await market.runtime.start(SHOP, 'db')
    const db = (await market.runtime.find(SHOP, 'db'))?.upstream?.start
    await market.killEngine()
    const later = await market.open()
    await bring(later)
    expect((await later.find(SHOP, 'db'))?.upstream?.start).toBe(db)
    expect((await later.list()).filter(({ orderId }) => orderId === SHOP)).toHaveLength(SERVICES.length)
    expect(await links()).toBe(all)
    await later.close({ stopWorkloads: false })
    await market.runtime.check()
    await expect.poll(page, LONG).toBe('kept +PONG done-by-secret')
  })

  it('go on until all of an update is made beside them, make room for it together, and take their places again', async () => {
    const { runtime, docker, instance } = market
    const ofNext = async () =>
      (await docker.listContainers({ all: true }))
        .filter(({ Names }) => Names.some((name) => name.includes(`${instance}-${SHOP}-next`)))
        .map(({ Id }) => Id)
        .sort()
    const roots = () => mountPoints().filter((path) => path.includes(`/${SHOP}~b`) && path.includes(instance))
    const make = (how: 'prepare' | 'create') => makeServices(runtime, brought('later'), how)
    const start = async () => (await runtime.find(SHOP, 'db'))?.upstream?.start
    const before = await start()
    await runtime.exec(SHOP, ['sh', '-c', 'echo mine > /tmp/mine'], { service: 'db' }).then(({ exitCode }) => exitCode)
    await make('prepare')
    expect(await ofNext()).toHaveLength(SERVICES.length)
    expect(roots()).toHaveLength(SERVICES.length)
    await runtime.dropNext(SHOP)
    expect([await ofNext(), roots()]).toEqual([[], []])
    await make('prepare')
    await make('prepare')
    const made = await ofNext()
    expect(made).toHaveLength(SERVICES.length)
    expect([await start(), await page()]).toEqual([before, 'kept +PONG done-by-secret'])

    expect(await runtime.setAside(SHOP, { keepVolumes: true })).toBe(true)
    expect(await runtime.aside(SHOP)).toBe('shop')
    expect(await runtime.find(SHOP, 'db')).toBeUndefined()
    await make('create')
    expect(await ofNext()).toEqual([])
    const now = await Promise.all(SERVICES.map((service) => docker.getContainer(workloadName(instance, SHOP, service)).inspect()))
    expect(now.map(({ Id }) => Id).sort()).toEqual(made)
    expect((await runtime.find(SHOP))?.deploymentId).toBe('later')
    await runtime.start(SHOP, 'db')
    await runtime.exec(SHOP, ['test', '!', '-e', '/tmp/mine'], { service: 'db' }).then(async ({ exitCode }) => {
      expect(await exitCode).toBe(0)
    })
    await runtime.takeBack(SHOP)
    expect(await runtime.aside(SHOP)).toBeUndefined()
    expect(roots()).toEqual([])
    await bring()
    await expect.poll(page, LONG).toBe('kept +PONG done-by-secret')
    const there = await runtime.exec(SHOP, ['cat', '/tmp/mine'], { service: 'db' })
    expect(await there.exitCode).toBe(0)
  })

  it('leave nothing behind', async () => {
    await market.runtime.stop(SHOP)
    for (const service of SERVICES) expect((await market.runtime.find(SHOP, service))?.running).toBe(false)
    await market.runtime.remove(SHOP, { wipe: true })
    await market.runtime.removeOutput(SHOP)
    expect((await market.runtime.list()).filter(({ orderId }) => orderId === SHOP)).toEqual([])
    expect(await market.runtime.ordersWithData()).not.toContain(SHOP)
    expect(
      mountPoints().filter((path) => /\/1(\.|\/|$)/.test(path.replace(market.data, '')) && path.includes(market.instance)),
    ).toEqual([])
    const cgroups = readdirSync('/sys/fs/cgroup').map((name) =>
      join('/sys/fs/cgroup', name, `rackfair-${market.instance}`, String(SHOP)),
    )
    expect(cgroups.filter((path) => existsSync(path))).toEqual([])
    const { stdout } = await runCommand('ip', ['-o', 'link'])
    expect(stdout).not.toMatch(new RegExp(`r[lf]${market.instance}-1[a-z]?[:@]`))
  })
})

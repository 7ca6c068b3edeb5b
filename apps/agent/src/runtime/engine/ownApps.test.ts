import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { freePort } from '@rackfair/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sayingLog } from '../../foundation/log.ts'
import { runCommand } from '../../foundation/runCommand.ts'
import { imageClients } from '../../testing/imageClients.ts'
import { debianLayer, isDeep } from '../../testing/ownImageBase.ts'
import { RENTER_APPS, RENTER_JOBS } from '../../testing/renterApps.ts'
import { setupRuntime, type TestRuntime } from '../../testing/setupRuntime.ts'
import { startRegistry, type TestRegistry, whyNoRegistry } from '../../testing/startRegistry.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'
import { createPortForwards, type PortForwards } from '../createPortForwards.ts'

const missing = ['psql', 'redis-cli', 'curl'].find((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0)
const reason = whyNoContainers() ?? whyNoRegistry() ?? (missing && `${missing} is not installed`)
const LONG = { timeout: 120_000, interval: 200 }
const POSTGRES = '/usr/lib/postgresql/15/bin'

/** Images as they are published: entrypoint, user, expectations. All share one Debian layer. */
const IMAGES = {
  postgres: {
    Entrypoint: ['/bin/sh', '-ec'],
    Cmd: [
      `mkdir -p /data/db /run/postgresql; chown postgres /data/db /run/postgresql; [ -s /data/db/PG_VERSION ] || { echo "$POSTGRES_PASSWORD" > /tmp/pw; su postgres -c "${POSTGRES}/initdb -D /data/db -A scram-sha-256 --pwfile=/tmp/pw"; echo "host all all all scram-sha-256" >> /data/db/pg_hba.conf; }; exec su postgres -c "exec ${POSTGRES}/postgres -D /data/db -c listen_addresses='*'"`,
    ],
    StopSignal: 'SIGINT',
    Volumes: { '/data': {} },
  },
  redis: { Entrypoint: ['redis-server'], Cmd: ['--protected-mode', 'no'], WorkingDir: '/data', User: 'redis' },
  nginx: {
    Entrypoint: ['/bin/sh', '-c'],
    Cmd: ["ln -sf /dev/stdout /var/log/nginx/access.log; exec nginx -g 'daemon off;'"],
    ...{ StopSignal: 'SIGQUIT', ExposedPorts: { '80/tcp': {} } },
  },
  // A line is one write: the logger of its last run may still be at work when the next one begins.
  udp: {
    Entrypoint: ['python3', '-u', '-c'],
    Cmd: [
      "import pathlib, socket\nkept = pathlib.Path('/data/kept')\nbefore = kept.read_bytes() if kept.exists() else b'first'\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.bind(('', 5300))\nwhile True:\n  said, who = s.recvfrom(9000)\n  print(f'heard {said.decode()}\\n', end='')\n  kept.write_bytes(said)\n  s.sendto(before + b', ' + said, who)",
    ],
  },
  shell: { Entrypoint: ['/bin/sh', '-c'], Cmd: ['sleep 100000'] },
}

describe.skipIf(reason)(`own applications, each with its client (${reason ?? 'here'})`, () => {
  let registry: TestRegistry
  let market: TestRuntime
  let forwards: PortForwards
  let client: Awaited<ReturnType<typeof imageClients>> | undefined
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-apps-'))
  const addresses = new Map<bigint, string>()
  const stop: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]

  beforeAll(async () => {
    registry = await startRegistry()
    stop.unshift(() => registry.close())
    market = await setupRuntime({ ownImages: { localRegistries: [registry.host] } })
    stop.unshift(() => market.close())
    const from = await freePort()
    forwards = createPortForwards({
      ...{ range: [from, from + 50], host: '127.0.0.1', log: sayingLog(() => {}) },
      addressOf: (orderId) => addresses.get(orderId),
    })
    stop.unshift(() => forwards.closeAll())
    const layer = await debianLayer()
    for (const [name, config] of Object.entries(IMAGES)) await registry.push('apps/all', name, { layers: [layer], config })
    expect((await runCommand('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'key')])).code).toBe(0)
  }, 600_000)
  afterAll(async () => {
    for (const one of stop) await one()
  })

  const image = (name: keyof typeof IMAGES) => `${registry.host}/apps/all:${name}`
  const disk = { diskBytes: 2 * 2 ** 30 }
  /** Starts an application, measures it, and opens its port if it has one. */
  const run = async (
    orderId: bigint,
    given: Record<string, unknown>,
    port?: { protocol: 'tcp' | 'udp'; port: number },
    options: Parameters<TestRuntime['runOwn']>[2] = {},
  ) => {
    const ports = port ? [port] : []
    const { address, imageId } = await market.runOwn(orderId, { ...given, ports }, { ...disk, ...options })
    client ??= imageClients(market.data, imageId, folder)
    addresses.set(orderId, address)
    const [opened] = await forwards.open(orderId, ports)
    await expect.poll(async () => (await market.runtime.usage(orderId))?.memoryBytes ?? 0).toBeGreaterThan(0)
    return String(opened?.outside)
  }
  const startAgain = async (orderId: bigint) => {
    await market.runtime.stop(orderId)
    await market.runtime.start(orderId)
    addresses.set(orderId, (await market.runtime.find(orderId))?.upstream?.address ?? '')
  }
  /** Cleans it once its log matches. */
  const end = async (orderId: bigint, says: RegExp) => {
    // An application's response may arrive before its log line has passed conmon.
    await expect.poll(() => market.runtime.logs(orderId, 1000), LONG).toMatch(says)
    forwards.close(orderId)
    await market.runtime.remove(orderId, { wipe: true })
    expect(await market.runtime.ordersWithData()).not.toContain(orderId)
  }

  it('PostgreSQL keeps its rows through a restart and a redeploy, with a password', async () => {
    const given = { image: image('postgres'), secrets: ['POSTGRES_PASSWORD'], volumes: ['/data'] }
    const options = { values: { POSTGRES_PASSWORD: 'hush' }, memoryBytes: 2 ** 30 }
    const port = { protocol: 'tcp' as const, port: 5432 }
    const first = await run(1n, given, port, options)
    const query = async (at: string, sql: string, password = 'hush') =>
      runCommand('psql', ['-h', '127.0.0.1', '-p', at, '-U', 'postgres', '-Atc', sql], {
        env: { ...process.env, PGPASSWORD: password },
      })
    await expect.poll(async () => (await query(first, 'select 1')).stdout).toBe('1\n')
    expect((await query(first, 'select 1', 'wrong')).stderr).toContain('password authentication failed')
    expect((await query(first, 'create table t (a int); insert into t select generate_series(1, 1000)')).code).toBe(0)
    await startAgain(1n)
    await expect.poll(async () => (await query(first, 'select count(*) from t')).stdout).toBe('1000\n')
    await market.runtime.remove(1n, { wipe: true, keepVolumes: true })
    const second = await run(1n, given, port, { ...options, deploymentId: 'second' })
    await expect.poll(async () => (await query(second, 'select count(*) from t')).stdout).toBe('1000\n')
    await end(1n, /ready to accept connections/)
  }, 300_000)

  it('Redis serves its client, as the user of its image', async () => {
    const port = await run(2n, { image: image('redis'), volumes: ['/data'] }, { protocol: 'tcp', port: 6379 })
    const redis = (...words: string[]) => runCommand('redis-cli', ['-p', port, ...words])
    expect((await redis('set', 'a', 'b')).stdout).toBe('OK\n')
    expect((await redis('get', 'a')).stdout).toBe('b\n')
    expect((await redis('save')).stdout).toBe('OK\n')
    await startAgain(2n)
    await expect.poll(async () => (await redis('get', 'a')).stdout, LONG).toBe('b\n')
    expect((await market.inside(2n, 'id -un; stat -c %U /data')).output).toBe('redis\nredis\n')
    await end(2n, /Ready to accept connections/)
  }, 120_000)

  it('nginx runs as published images expect: root inside, port 80, its own files', async () => {
    const port = await run(3n, { image: image('nginx') }, { protocol: 'tcp', port: 80 })
    const page = async (name = '') => (await runCommand('curl', ['-s', `http://127.0.0.1:${port}/${name}`])).stdout
    expect(await page()).toContain('Welcome to nginx!')
    expect((await market.inside(3n, 'echo kept > /var/www/html/note')).code).toBe(0)
    await startAgain(3n)
    await expect.poll(() => page('note'), LONG).toBe('kept\n')
    expect((await market.inside(3n, 'ps -o user= -C nginx | sort -u')).output).toBe('root\nwww-data\n')
    await end(3n, /"GET \/note HTTP\/1\.1" 200/)
  }, 120_000)

  it('a UDP server responds to packets, and keeps its data over a restart', async () => {
    const port = await run(4n, { image: image('udp'), volumes: ['/data'] }, { protocol: 'udp', port: 5300 })
    const say = async (word: string) => {
      const socket = createSocket('udp4')
      const again = setInterval(() => socket.send(word, Number(port), '127.0.0.1'), 500)
      try {
        return String((await once(socket, 'message', { signal: AbortSignal.timeout(60_000) }))[0])
      } catch (cause) {
        const state = [addresses.get(4n), await market.runtime.find(4n), await market.runtime.logs(4n, 100)]
        throw new Error(`no answer to ${word}: ${inspect(state, { depth: 4 })}`, { cause })
      } finally {
        clearInterval(again)
        socket.close()
      }
    }
    expect(await say('hello')).toBe('first, hello')
    await startAgain(4n)
    expect(await say('there')).toBe('hello, there')
    // The output of this start alone
    await end(4n, /^(?:heard there\n)+$/)
  }, 240_000)

  it.each(RENTER_JOBS.map((job, index) => [job.name, 5n + BigInt(index), job] as const))(
    '%s is measured, ends as expected, is logged, and runs again with its data',
    async (_name, orderId, { does, memoryBytes = 2 ** 28, exitCode, says }) => {
      // It waits until it has been measured; on the second run it does not.
      const line = `until [ -e /data/go ]; do sleep 0.1; done; cd /data; echo run >> runs; echo "run $(wc -l < runs)"; ${does}`
      await run(orderId, { image: image('shell'), volumes: ['/data'], args: [line] }, undefined, { memoryBytes })
      const ended = async (begins: string) => {
        const log = `${begins}\n${says}`
        const state = async () => [(await market.runtime.find(orderId))?.running, await market.runtime.logs(orderId, 100)]
        await expect.poll(state, LONG).toEqual([false, log])
        expect((await market.runtime.find(orderId))?.exitCode).toBe(exitCode)
      }
      expect((await market.inside(orderId, 'touch /data/go')).code).toBe(0)
      await ended('run 1')
      await market.runtime.start(orderId)
      await ended('run 2')
      await end(orderId, /^run 2$/m)
    },
    120_000,
  )

  it('a worker without a port resumes where it was', async () => {
    const line = 'while :; do echo tick >> /data/ticks; echo tick; sleep 0.1; done'
    await run(9n, { image: image('shell'), volumes: ['/data'], args: [line] })
    const ticks = async () => Number((await market.inside(9n, 'grep -c tick /data/ticks')).output)
    await expect.poll(ticks, LONG).toBeGreaterThan(3)
    const before = await ticks()
    await startAgain(9n)
    await expect.poll(ticks, LONG).toBeGreaterThan(before)
    await end(9n, /^tick$/m)
  }, 120_000)

  // The short run takes one of them; RACKFAIR_DEEP=1 takes all eleven.
  it.each(RENTER_APPS.filter(({ short }) => isDeep || short).map((app, index) => [app.name, 20n + BigInt(index), app] as const))(
    '%s is used, logged, measured, restarted with its data, and cleaned',
    async (_name, orderId, { start, port, client: first, says, again = first, saysAgain = says }) => {
      const env = { AUTHORIZED: readFileSync(join(folder, 'key.pub'), 'utf8').trim() }
      const at = await run(orderId, { image: image('shell'), volumes: ['/data'], env, args: [`echo begun; ${start}`] }, port)
      const use = (line: string) => client?.(`export PORT=${at}; ${line}`)
      await expect.poll(() => use(first), LONG).toMatch(says)
      await startAgain(orderId)
      await expect.poll(() => use(again), LONG).toMatch(saysAgain)
      await end(orderId, /^begun$(?![\s\S]*^begun$)/m)
    },
    300_000,
  )
})

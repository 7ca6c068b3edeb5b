import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@rackfair/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sayingLog } from '../../log.ts'
import { imageClients } from '../../testing/imageClients.ts'
import { debianLayer, isDeep } from '../../testing/ownImageBase.ts'
import { RENTER_APPS } from '../../testing/renterApps.ts'
import { setupRuntime, type TestRuntime } from '../../testing/setupRuntime.ts'
import { startRegistry, type TestRegistry, whyNoRegistry } from '../../testing/startRegistry.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'
import { createPortForwards, type PortForwards } from '../createPortForwards.ts'
import { runCommand } from '../runCommand.ts'

const missing = ['psql', 'redis-cli', 'curl'].find((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0)
const reason = whyNoContainers() ?? whyNoRegistry() ?? (missing && `${missing} is not installed`)
const LONG = { timeout: 120_000, interval: 200 }
const POSTGRES = '/usr/lib/postgresql/15/bin'

/** Images as they are published: what starts, as whom, what they expect. All share one layer of Debian. */
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
  nginx: { Entrypoint: [], Cmd: ['nginx', '-g', 'daemon off;'], StopSignal: 'SIGQUIT', ExposedPorts: { '80/tcp': {} } },
  udp: {
    Entrypoint: ['python3', '-c'],
    Cmd: [
      "import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.bind(('', 5300))\nwhile True:\n  said, who = s.recvfrom(9000)\n  s.sendto(b'heard ' + said, who)",
    ],
  },
  shell: { Entrypoint: ['/bin/sh', '-c'], Cmd: ['sleep 100000'] },
}

describe.skipIf(reason)(`applications that renters bring, each with its client (${reason ?? 'here'})`, () => {
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
  /** Starts an application, measures it, and opens its one port. */
  const run = async (
    orderId: bigint,
    given: Record<string, unknown>,
    port: { protocol: 'tcp' | 'udp'; port: number },
    options: Parameters<TestRuntime['runOwn']>[2] = {},
  ) => {
    const { address, imageId } = await market.runOwn(orderId, { ...given, ports: [port] }, { ...disk, ...options })
    client ??= await imageClients(market.docker, imageId, folder)
    addresses.set(orderId, address)
    const [opened] = await forwards.open(orderId, [port])
    await expect.poll(async () => (await market.runtime.usage(orderId))?.memoryBytes ?? 0).toBeGreaterThan(0)
    return String(opened?.outside)
  }
  const startAgain = async (orderId: bigint) => {
    await market.runtime.stop(orderId)
    await market.runtime.start(orderId)
    addresses.set(orderId, (await market.runtime.find(orderId))?.upstream?.address ?? '')
  }
  const end = async (orderId: bigint) => {
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
    await end(1n)
  }, 300_000)

  it('Redis answers its client, as the user that its image names', async () => {
    const port = await run(2n, { image: image('redis'), volumes: ['/data'] }, { protocol: 'tcp', port: 6379 })
    const redis = (...words: string[]) => runCommand('redis-cli', ['-p', port, ...words])
    expect((await redis('set', 'a', 'b')).stdout).toBe('OK\n')
    expect((await redis('get', 'a')).stdout).toBe('b\n')
    expect((await redis('save')).stdout).toBe('OK\n')
    expect(await market.runtime.logs(2n, 100)).toContain('Ready to accept connections')
    await startAgain(2n)
    await expect.poll(async () => (await redis('get', 'a')).stdout, LONG).toBe('b\n')
    expect((await market.inside(2n, 'id -un; stat -c %U /data')).output).toBe('redis\nredis\n')
    await end(2n)
  }, 120_000)

  it('nginx as published images expect it: root inside, port 80, files of its own', async () => {
    const port = await run(3n, { image: image('nginx') }, { protocol: 'tcp', port: 80 })
    const page = async () => (await runCommand('curl', ['-s', `http://127.0.0.1:${port}/`])).stdout
    expect(await page()).toContain('Welcome to nginx!')
    await startAgain(3n)
    await expect.poll(page, LONG).toContain('Welcome to nginx!')
    expect((await market.inside(3n, 'ps -o user= -C nginx | sort -u')).output).toBe('root\nwww-data\n')
    await end(3n)
  }, 120_000)

  it('a server of UDP answers packets', async () => {
    const port = await run(4n, { image: image('udp') }, { protocol: 'udp', port: 5300 })
    const socket = createSocket('udp4')
    const answer = once(socket, 'message')
    const again = setInterval(() => socket.send('hello\n', Number(port), '127.0.0.1'), 500)
    expect(String((await answer)[0])).toBe('heard hello\n')
    clearInterval(again)
    socket.close()
    await end(4n)
  }, 120_000)

  it('a batch job ends, one that crashes says how, one that eats memory is ended alone', async () => {
    const ended = async (orderId: bigint, line: string, memoryBytes = 2 ** 28) => {
      await market
        .runOwn(orderId, { image: image('shell'), args: [line] }, { ...disk, memoryBytes })
        .catch((error: Error) => expect(error.message).toBeTypeOf('string'))
      await expect.poll(async () => (await market.runtime.find(orderId))?.running).toBe(false)
      return { code: (await market.runtime.find(orderId))?.exitCode, said: await market.runtime.logs(orderId, 5) }
    }
    expect(await ended(5n, 'sleep 2; echo done')).toEqual({ code: 0, said: 'done\n' })
    expect(await ended(6n, 'sleep 2; echo broken >&2; exit 3')).toEqual({ code: 3, said: 'broken\n' })
    const eater = "sleep 2; exec python3 -c 'b = bytearray(600 * 2**20); import time; time.sleep(100)'"
    expect(await ended(7n, eater, 128 * 2 ** 20)).toMatchObject({ code: 137 })
    for (const orderId of [5n, 6n, 7n]) await end(orderId)
  }, 300_000)

  it('a worker without a port goes on where it was, and a compiler leaves its program', async () => {
    const shell = { image: image('shell'), volumes: ['/data'] }
    await market.runOwn(8n, { ...shell, args: ['while :; do echo tick >> /data/ticks; echo tick; sleep 0.1; done'] }, disk)
    const ticks = async () => Number((await market.inside(8n, 'grep -c tick /data/ticks')).output)
    await expect.poll(ticks, LONG).toBeGreaterThan(3)
    const before = await ticks()
    await startAgain(8n)
    await expect.poll(ticks, LONG).toBeGreaterThan(before)
    await end(8n)
    const line = 'cd /data; echo "int main(void) { return 0; }" > a.c; tcc -o a a.c && ./a && echo built; sleep 3'
    await market.runOwn(9n, { ...shell, args: [line] }, disk)
    await expect.poll(async () => (await market.runtime.find(9n))?.running, LONG).toBe(false)
    expect(await market.runtime.find(9n)).toMatchObject({ exitCode: 0 })
    expect(await market.runtime.logs(9n, 5)).toBe('built\n')
    await end(9n)
  }, 300_000)

  // One of them in the short run: eleven with RACKFAIR_DEEP=1.
  it.each(RENTER_APPS.filter(({ short }) => isDeep || short).map((app, index) => [app.name, 20n + BigInt(index), app] as const))(
    '%s is used, logged, measured, started again with what it kept, and cleaned',
    async (_name, orderId, { start, port, client: first, says, again = first, saysAgain = says }) => {
      const env = { AUTHORIZED: readFileSync(join(folder, 'key.pub'), 'utf8').trim() }
      const at = await run(orderId, { image: image('shell'), volumes: ['/data'], env, args: [`echo begun; ${start}`] }, port)
      const use = (line: string) => client?.(`export PORT=${at}; ${line}`)
      await expect.poll(() => use(first), LONG).toMatch(says)
      expect((await market.runtime.usage(orderId))?.memoryBytes).toBeGreaterThan(0)
      await startAgain(orderId)
      await expect.poll(() => use(again), LONG).toMatch(saysAgain)
      expect((await market.runtime.logs(orderId, 1000)).match(/^begun$/gm)).toHaveLength(2)
      await end(orderId)
    },
    300_000,
  )
})

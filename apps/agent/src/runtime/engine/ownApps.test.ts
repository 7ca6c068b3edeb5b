import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { freePort } from '@rackfair/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sayingLog } from '../../log.ts'
import { debianLayer } from '../../testing/ownImageBase.ts'
import { setupRuntime, type TestRuntime } from '../../testing/setupRuntime.ts'
import { startRegistry, type TestRegistry, whyNoRegistry } from '../../testing/startRegistry.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'
import { createPortForwards, type PortForwards } from '../createPortForwards.ts'
import { runCommand } from '../runCommand.ts'

const missing = ['psql', 'redis-cli', 'curl'].find((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0)
const reason = whyNoContainers() ?? whyNoRegistry() ?? (missing && `${missing} is not installed`)
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
  const addresses = new Map<bigint, string>()
  const stop: (() => unknown)[] = []

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
    for (const [name, config] of Object.entries(IMAGES)) await registry.push(`apps/${name}`, '1', { layers: [layer], config })
  }, 600_000)
  afterAll(async () => {
    for (const one of stop) await one()
  })

  const image = (name: keyof typeof IMAGES) => `${registry.host}/apps/${name}:1`
  const disk = { diskBytes: 2 * 2 ** 30 }
  /** Starts an application and opens its one port. */
  const run = async (
    orderId: bigint,
    given: Record<string, unknown>,
    port: { protocol: 'tcp' | 'udp'; port: number },
    options: Parameters<TestRuntime['runOwn']>[2] = {},
  ) => {
    const { address } = await market.runOwn(orderId, { ...given, ports: [port] }, { ...disk, ...options })
    addresses.set(orderId, address)
    const [opened] = await forwards.open(orderId, [port])
    return String(opened?.outside)
  }
  const end = async (orderId: bigint) => {
    forwards.close(orderId)
    await market.runtime.remove(orderId, { wipe: true })
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
    await expect.poll(async () => (await query(first, 'select 1')).stdout, { timeout: 60_000 }).toBe('1\n')
    expect((await query(first, 'select 1', 'wrong')).stderr).toContain('password authentication failed')
    expect((await query(first, 'create table t (a int); insert into t select generate_series(1, 1000)')).code).toBe(0)
    await market.runtime.stop(1n)
    await market.runtime.start(1n)
    addresses.set(1n, (await market.runtime.find(1n))?.upstream?.address ?? '')
    await expect.poll(async () => (await query(first, 'select count(*) from t')).stdout, { timeout: 60_000 }).toBe('1000\n')
    await market.runtime.remove(1n, { wipe: true, keepVolumes: true })
    const second = await run(1n, given, port, { ...options, deploymentId: 'second' })
    await expect.poll(async () => (await query(second, 'select count(*) from t')).stdout, { timeout: 60_000 }).toBe('1000\n')
    await end(1n)
  }, 300_000)

  it('Redis answers its client, as the user that its image names', async () => {
    const port = await run(2n, { image: image('redis'), volumes: ['/data'] }, { protocol: 'tcp', port: 6379 })
    const redis = (...words: string[]) => runCommand('redis-cli', ['-p', port, ...words])
    expect((await redis('set', 'a', 'b')).stdout).toBe('OK\n')
    expect((await redis('get', 'a')).stdout).toBe('b\n')
    expect((await redis('save')).stdout).toBe('OK\n')
    expect((await market.inside(2n, 'id -un; stat -c %U /data')).output).toBe('redis\nredis\n')
    await end(2n)
  }, 120_000)

  it('nginx as published images expect it: root inside, port 80, files of its own', async () => {
    const port = await run(3n, { image: image('nginx') }, { protocol: 'tcp', port: 80 })
    expect((await runCommand('curl', ['-s', `http://127.0.0.1:${port}/`])).stdout).toContain('Welcome to nginx!')
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
      await expect.poll(async () => (await market.runtime.find(orderId))?.running, { timeout: 60_000 }).toBe(false)
      return { code: (await market.runtime.find(orderId))?.exitCode, said: await market.runtime.logs(orderId, 5) }
    }
    expect(await ended(5n, 'sleep 2; echo done')).toEqual({ code: 0, said: 'done\n' })
    expect(await ended(6n, 'sleep 2; echo broken >&2; exit 3')).toEqual({ code: 3, said: 'broken\n' })
    const eater = "sleep 2; exec python3 -c 'b = bytearray(600 * 2**20); import time; time.sleep(100)'"
    expect(await ended(7n, eater, 128 * 2 ** 20)).toMatchObject({ code: 137 })
    for (const orderId of [5n, 6n, 7n]) await end(orderId)
  }, 300_000)

  describe('and a stranger who is root inside of one', () => {
    const TENANT = 9n
    const inside = (line: string) => market.inside(TENANT, line)
    const python = (code: string) => inside(`python3 -c '${code}'`)
    beforeAll(async () => {
      const { address } = await market.runOwn(
        TENANT,
        { image: image('shell') },
        { ...disk, cores: 0.5, memoryBytes: 256 * 2 ** 20 },
      )
      addresses.set(TENANT, address)
    }, 120_000)

    it('is nobody outside, with the capabilities of an ordinary image and no others', async () => {
      expect((await inside('id -u')).output).toBe('0\n')
      expect(Number((await inside('cat /proc/self/uid_map')).output.trim().split(/\s+/)[1])).toBeGreaterThan(2 ** 31)
      const { output } = await inside('grep -E "CapEff|CapBnd|NoNewPrivs|Seccomp:" /proc/self/status')
      // CHOWN, DAC_OVERRIDE, FOWNER, FSETID, KILL, SETGID, SETUID, NET_BIND_SERVICE, SYS_CHROOT
      expect(output).toMatch(/CapEff:\s+00000000000404fb/)
      expect(output).toMatch(/CapBnd:\s+00000000000404fb/)
      expect(output).toMatch(/NoNewPrivs:\s+1/)
      expect(output).toMatch(/Seccomp:\s+2/)
    })

    it('makes no device, no raw socket, no mount and no namespace', async () => {
      for (const line of [
        'mknod /sda b 8 0 && head -c1 /sda',
        'mount -t tmpfs x /mnt',
        'unshare -U true',
        'chroot / mount -t proc p /mnt',
      ])
        expect((await inside(line)).code, line).not.toBe(0)
      expect((await python('import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)')).code).not.toBe(0)
      const calls = {
        setns: 308,
        pivot_root: 155,
        keyctl: 250,
        bpf: 321,
        ptrace: 101,
        userfaultfd: 323,
        io_uring_setup: 425,
        open_tree: 428,
        move_mount: 429,
        fsopen: 430,
        open_by_handle_at: 304,
      }
      const { output } = await python(
        `import ctypes\nlibc=ctypes.CDLL(None,use_errno=True)\nfor name,nr in ${JSON.stringify(calls)}.items():\n  r=libc.syscall(nr,0x10000000,0,0,0,0,0)\n  print(name,r,ctypes.get_errno())`,
      )
      for (const name of Object.keys(calls)) expect(output).toContain(`${name} -1 1\n`)
    })

    it('writes its own root and nothing of the machine', async () => {
      expect((await inside('touch /etc/x /usr/bin/x && rm /etc/x /usr/bin/x')).code).toBe(0)
      for (const path of ['/sys/x', '/proc/sys/kernel/hostname', '/proc/sysrq-trigger'])
        expect((await inside(`echo 1 > ${path}`)).code, path).not.toBe(0)
      expect((await inside('ls /dev')).output).not.toMatch(/\b(vda|sda|loop0|kmsg|mem|kvm)\b/)
      expect((await inside('touch /etc/hosts /etc/resolv.conf')).code).not.toBe(0)
      expect((await inside('cat /etc/resolv.conf')).output).toBe('nameserver 1.1.1.1\nnameserver 9.9.9.9\nnameserver 8.8.8.8\n')
      const { size } = JSON.parse((await inside(`df -B1 --output=size / | tail -1 | sed 's/.*/{"size":&}/'`)).output) as {
        size: number
      }
      expect(size).toBeLessThanOrEqual(disk.diskBytes)
    })

    it('takes no more processes, files and memory than others', async () => {
      const forks = await python(
        'import os,signal\nn=0\nkids=[]\ntry:\n  while n<2000:\n    p=os.fork()\n    if p==0:\n      signal.pause()\n    kids.append(p); n+=1\nexcept BlockingIOError:\n  print("refused",n)\nfor p in kids: os.kill(p,9)',
      )
      expect(Number(/refused (\d+)/.exec(forks.output)?.[1])).toBeLessThan(512)
      const files = await python(
        'import os\ntry:\n  while True: os.open("/dev/null",0)\nexcept OSError as e: print("refused",e.errno)',
      )
      expect(files.output).toContain('refused 24')
      expect((await python('b = bytearray(400 * 2**20); print(len(b))')).code).not.toBe(0)
      expect((await market.runtime.find(TENANT))?.running).toBe(true)
    })

    it('reaches neither the machine nor another order', async () => {
      const other = await market.runOwn(10n, { image: image('nginx'), ports: [{ protocol: 'http', port: 80 }] }, disk)
      const reach = (address: string) => inside(`curl -s -m 3 -o /dev/null -w %{http_code} http://${address}/ || true`)
      expect((await reach(other.address)).output).toBe('000')
      const gateway = (await inside("ip -4 route show default | awk '{print $3}'")).output.trim()
      expect(gateway).toMatch(/^10\./)
      expect((await reach(`${gateway}:${new URL(`http://${registry.host}`).port}`)).output).toBe('000')
      expect((await reach('169.254.169.254')).output).toBe('000')
      await market.runtime.remove(10n, { wipe: true })
    }, 120_000)
  })
})

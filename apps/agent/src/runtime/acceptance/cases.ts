import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ExpectStatic } from 'vitest'
import { startFakeOutside } from '../engine/fakeOutside.ts'
import type { RunSpec } from '../RunSpec.ts'
import type { Allowance, Runtime } from '../Runtime.ts'

/** What every runtime is tried with: nginx of the catalogue, on Debian, which listens at 8080 and keeps its pages in a volume. */
export interface Subject {
  runtime: Runtime
  /** The same runtime as an agent that starts again has it. */
  open(): Promise<Runtime>
  nginx: RunSpec
  /** The test's own: several run at once. */
  expect: ExpectStatic
}

export interface Case {
  name: string
  run(subject: Subject): Promise<void>
}

const MIB = 2 ** 20
const ALLOWANCE: Allowance = { cores: 0.5, memoryBytes: 128 * MIB, diskBytes: 256 * MIB, gpus: [] }
const PAGE = '/srv/www/kept.txt'
const NOTE = 'what is here\nand until when\n'
/** Of what takes seconds on an idle machine. */
const SLOW = { timeout: 120_000, interval: 100 }
/** Version 3 of the SSH File Transfer Protocol, asked for and answered. */
const SFTP_HELLO = Buffer.from([0, 0, 0, 5, 1, 0, 0, 0, 3])
const SFTP_VERSION = 2

let orders = 0n
const newOrder = () => {
  orders += 1n
  return orders
}

/** Starts nginx, or what else is said of it, for an order of its own, and takes it away again. */
async function withApp(
  { runtime, nginx, expect }: Subject,
  use: (orderId: bigint, expect: ExpectStatic) => Promise<void>,
  { allowance, ...change }: Partial<RunSpec> & { allowance?: Partial<Allowance> } = {},
): Promise<void> {
  const orderId = newOrder()
  const app = { ...nginx, ...change }
  const workload = {
    orderId,
    deploymentId: `d${orderId}`,
    slot: Number(orderId),
    app,
    env: {},
    allowance: { ...ALLOWANCE, ...allowance },
    note: NOTE,
  }
  try {
    await runtime.create(workload, await runtime.ensureImage(app))
    await runtime.start(orderId)
    if (change.command === undefined) await answers({ runtime, expect }, orderId, app)
    await use(orderId, expect)
  } finally {
    await runtime.remove(orderId, { wipe: true })
    await runtime.removeOutput(orderId)
  }
}

const answers = ({ runtime, expect }: Pick<Subject, 'runtime' | 'expect'>, orderId: bigint, { probe }: RunSpec) =>
  expect.poll(() => runtime.probe(orderId, probe), SLOW).toBe(true)

async function shell(runtime: Runtime, orderId: bigint, line: string, how?: Parameters<Runtime['exec']>[2]) {
  const { stdin, stdout, stderr, exitCode } = await runtime.exec(orderId, ['/bin/sh', '-c', line], how)
  stdin.end()
  const [out, err, code] = await Promise.all([text(stdout), text(stderr), exitCode])
  return { out, err, code }
}

/** Until the stream has said it. */
async function says(stream: Duplex, pattern: RegExp): Promise<string> {
  let said = ''
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    said += String(chunk)
    if (pattern.test(said)) return said
  }
  throw new Error(`it ended and said ${said}`)
}

/** Metadata services of four clouds, and one address of each range that is no machine on the internet. */
const CLOSED = [
  ...['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
  ...['10.0.0.1', '10.96.0.1', '10.255.255.254', '100.64.0.1', '100.127.255.254', '172.16.0.1', '172.31.255.254'],
  ...['192.0.2.254', '192.168.255.254', '198.18.0.1', '198.51.100.1', '203.0.113.200'],
]
/** Of `timeout`: nobody answered, not even that nobody listens. */
const DROPPED = 124
const TRY = (seconds: number, target: string) =>
  `(timeout ${seconds} bash -c 'exec 3<>/dev/tcp/${target}' 2>/dev/null; echo ${target} $?) &`

/** What the agent counts on, whatever runs the applications. */
export const CASES: Case[] = [
  {
    name: 'starts an application that responds, and identifies it',
    run: (subject) =>
      withApp(subject, async (orderId, expect) => {
        const found = await subject.runtime.find(orderId)
        expect(found).toMatchObject({
          orderId,
          deploymentId: `d${orderId}`,
          slot: Number(orderId),
          running: true,
          sandboxed: false,
        })
        const page = await fetch(`http://${found?.upstream?.address}:8080/`)
        expect(page.status).toBe(200)
        expect(await subject.runtime.list()).toContainEqual(found)
        expect(await subject.runtime.ordersWithData()).toContain(orderId)
      }),
  },
  {
    name: 'is idempotent: creates and starts a running application without a change',
    run: (subject) =>
      withApp(subject, async (orderId, expect) => {
        const { runtime, nginx } = subject
        const before = await runtime.find(orderId)
        const workload = {
          orderId,
          deploymentId: `d${orderId}`,
          slot: Number(orderId),
          app: nginx,
          env: {},
          allowance: ALLOWANCE,
        }
        await runtime.create(workload, await runtime.ensureImage(nginx))
        await runtime.start(orderId)
        expect(await runtime.find(orderId)).toEqual(before)
      }),
  },
  {
    name: 'keeps data over a stop and a start, and tells the two starts apart',
    run: (subject) =>
      withApp(subject, async (orderId, expect) => {
        const { runtime, nginx } = subject
        const first = (await runtime.find(orderId))?.upstream?.start
        expect((await shell(runtime, orderId, `echo kept > ${PAGE}`)).code).toBe(0)
        await runtime.stop(orderId)
        expect(await runtime.find(orderId)).toMatchObject({ running: false, upstream: undefined, deploymentId: `d${orderId}` })
        expect(await runtime.probe(orderId, nginx.probe)).toBe(false)
        await runtime.start(orderId)
        await answers(subject, orderId, nginx)
        expect((await shell(runtime, orderId, `cat ${PAGE}`)).out).toBe('kept\n')
        expect((await runtime.find(orderId))?.upstream?.start).not.toBe(first)
      }),
  },
  {
    name: 'keeps data on a removal without a wipe, and deletes it on a wipe',
    run: async (subject) => {
      const { runtime, nginx } = subject
      await withApp(subject, async (orderId, expect) => {
        await shell(runtime, orderId, `echo kept > ${PAGE}`)
        await runtime.remove(orderId, { wipe: false })
        expect(await runtime.find(orderId)).toBeUndefined()
        const again = { orderId, deploymentId: 'again', slot: Number(orderId), app: nginx, env: {}, allowance: ALLOWANCE }
        await runtime.create(again, await runtime.ensureImage(nginx))
        await runtime.start(orderId)
        expect((await shell(runtime, orderId, `cat ${PAGE}`)).out).toBe('kept\n')
        await runtime.remove(orderId, { wipe: true })
        expect(await runtime.ordersWithData()).not.toContain(orderId)
        await runtime.create(again, await runtime.ensureImage(nginx))
        await runtime.start(orderId)
        expect((await shell(runtime, orderId, `test -e ${PAGE}`)).code).toBe(1)
      })
    },
  },
  {
    name: 'reports how a program ended',
    run: (subject) =>
      withApp(
        subject,
        async (orderId, expect) => {
          await expect
            .poll(() => subject.runtime.find(orderId), SLOW)
            .toMatchObject({ running: false, exitCode: 3, outOfMemory: false })
          const { endedAt } = (await subject.runtime.find(orderId)) ?? {}
          expect(Math.abs(Date.now() - (endedAt ?? 0))).toBeLessThan(SLOW.timeout)
          await expect.poll(() => subject.runtime.logs(orderId, 5), SLOW).toContain('about to end')
        },
        { command: ['/bin/sh', '-c', 'echo about to end; exit 3'], probe: { kind: 'started', periodSeconds: 1, failures: 9 } },
      ),
  },
  {
    name: 'kills a program that uses more memory than was bought',
    run: (subject) =>
      withApp(
        subject,
        async (orderId, expect) => {
          await expect
            .poll(() => subject.runtime.find(orderId), SLOW)
            .toMatchObject({ running: false, exitCode: 137, outOfMemory: true })
        },
        { command: ['/usr/bin/tail', '/dev/zero'], allowance: { memoryBytes: 32 * MIB }, tmpfs: [] },
      ),
  },
  {
    name: 'keeps the output of a program, even after it ended',
    run: (subject) =>
      withApp(
        subject,
        async (orderId, expect) => {
          const source = subject.runtime.output(orderId)
          if (!source) throw new Error('no output is kept')
          const lines = async () => {
            const reader = source.open(await source.before(undefined))
            const read = await reader.read()
            await reader.close()
            return read.map(({ bytes }) => String(bytes))
          }
          await expect.poll(lines, SLOW).toEqual(['first', 'second'])
          await subject.runtime.stop(orderId)
          expect(await lines()).toEqual(['first', 'second'])
        },
        {
          command: ['/bin/sh', '-c', 'echo first; sleep 1; echo second; sleep 999'],
          probe: { kind: 'started', periodSeconds: 1, failures: 9 },
        },
      ),
  },
  {
    name: 'runs a command with its environment and working directory, returns both outputs and the exit code, and tells it where it is',
    run: (subject) =>
      withApp(subject, async (orderId, expect) => {
        const how = { env: { GREETING: 'two words' }, workingDir: '/srv' }
        expect(await shell(subject.runtime, orderId, 'echo "$GREETING"; pwd; echo wrong >&2; exit 7', how)).toEqual({
          ...{ out: 'two words\n/srv\n', err: 'wrong\n', code: 7 },
        })
        const read = 'cat "$RACKFAIR_AGENTS_MD"; echo mine > /.rackfair/AGENTS.md || rm /.rackfair/AGENTS.md || echo kept'
        expect((await shell(subject.runtime, orderId, read)).out).toBe(`${NOTE}kept\n`)
      }),
  },
  {
    name: 'kills a command whose reader has gone, with its child processes',
    run: (subject) =>
      withApp(subject, async (orderId, expect) => {
        const { runtime } = subject
        const one = await runtime.exec(orderId, ['/bin/sh', '-c', 'sleep 4321 & echo begun; wait'])
        one.stdout.setEncoding('utf8')
        await new Promise((resolve) => one.stdout.once('data', resolve))
        one.closeTerminals()
        // The pattern does not find itself.
        const sleeping = async () =>
          (await shell(runtime, orderId, "cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | grep -c '[4]321'")).out.trim()
        await expect.poll(sleeping, SLOW).toBe('0')
      }),
  },
  {
    name: 'opens a terminal of a given size, and returns its exit code',
    run: (subject) =>
      withApp(subject, async (orderId, expect) => {
        const { stream, resize, exitCode } = await subject.runtime.terminal(orderId, ['/bin/sh'], { columns: 100, rows: 40 })
        await resize(120, 50)
        await expect
          .poll(async () => {
            stream.write('stty size\n')
            return says(stream, /\d+ \d+\r?\n/)
          }, SLOW)
          .toContain('50 120')
        stream.write('exit 9\n')
        stream.resume()
        expect(await exitCode).toBe(9)
      }),
  },
  {
    name: 'serves files',
    run: (subject) =>
      withApp(subject, async (orderId, expect) => {
        const server = await subject.runtime.fileServer(orderId)
        server.stdin.write(SFTP_HELLO)
        const [answer] = (await server.stdout.take(1).toArray()) as Buffer[]
        expect(answer?.[4]).toBe(SFTP_VERSION)
        server.closeTerminals()
      }),
  },
  {
    name: "reaches a port of the application's own loopback",
    run: (subject) =>
      withApp(subject, async (orderId, expect) => {
        const stream = await subject.runtime.connect(orderId, 8080)
        stream.write('GET / HTTP/1.0\r\n\r\n')
        expect(await says(stream, /^HTTP\/1\.1 200/)).toContain('200')
        stream.destroy()
      }),
  },
  {
    name: 'measures the usage of an application next to what was bought',
    run: (subject) =>
      withApp(subject, async (orderId, expect) => {
        const used = await expect.poll(() => subject.runtime.usage(orderId), SLOW)
        await used.toMatchObject({ cores: 0.5, memoryLimitBytes: 128 * MIB })
        const before = (await subject.runtime.usage(orderId))?.processorMicros ?? 0
        await shell(subject.runtime, orderId, 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done')
        await expect.poll(async () => ((await subject.runtime.usage(orderId))?.processorMicros ?? 0) > before, SLOW).toBe(true)
        const counted = async () => (await subject.runtime.usage(orderId)) ?? { receivedBytes: 0, sentBytes: 0 }
        const { receivedBytes, sentBytes } = await counted()
        await (await fetch(`http://${(await subject.runtime.find(orderId))?.upstream?.address}:8080/`)).text()
        await expect.poll(async () => (await counted()).receivedBytes > receivedBytes, SLOW).toBe(true)
        await expect.poll(async () => (await counted()).sentBytes > sentBytes, SLOW).toBe(true)
      }),
  },
  {
    name: 'gives a container no unneeded privileges',
    run: (subject) =>
      withApp(subject, async (orderId, expect) => {
        const look = (line: string) => shell(subject.runtime, orderId, line)
        const status = (await look('cat /proc/self/status')).out
        expect(status).toMatch(/^CapEff:\s+0+$/m)
        expect(status).toMatch(/^CapBnd:\s+0+$/m)
        expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
        expect(status).toMatch(/^Seccomp:\s+2$/m)
        expect(status).toMatch(/^Uid:\s+33\b/m)
        for (const line of [
          'echo > /etc/changed',
          'mount -t tmpfs none /mnt',
          'test -e /var/run/secrets',
          'cat /proc/1/root/etc/shadow',
        ])
          expect([line, (await look(line)).code]).not.toEqual([line, 0])
      }),
  },
  {
    name: 'lets a tenant reach the internet, and none of 25 other places: tenants, this machine, metadata, private networks',
    run: (subject) =>
      withApp(subject, (orderId) =>
        withApp(subject, async (neighbour, expect) => {
          const { runtime } = subject
          const address = String((await runtime.find(neighbour))?.upstream?.address)
          const gateway = address.replace(/\d+$/, '1')
          const outside = await startFakeOutside([80])
          try {
            for (const one of CLOSED) await outside.answerAt(one)
            const tried = (seconds: number, targets: readonly string[]) =>
              shell(runtime, orderId, `${targets.map((target) => TRY(seconds, target)).join('\n')}\nwait`)
            expect((await tried(60, [`${outside.public}/80`])).out).toBe(`${outside.public}/80 0\n`)
            const closed = [
              ...[8080, 22].map((port) => `${address}/${port}`),
              ...[22, 53, 6443, 10250].map((port) => `${gateway}/${port}`),
              ...[outside.private, outside.linkLocal, ...CLOSED].map((one) => `${one}/80`),
            ]
            expect(closed).toHaveLength(25)
            const { out } = await tried(3, closed)
            expect(out.trim().split('\n').sort()).toEqual(closed.map((target) => `${target} ${DROPPED}`).sort())
          } finally {
            await outside.close()
          }
        }),
      ),
  },
  {
    name: 'finds its orders again from another process',
    run: (subject) =>
      withApp(subject, async (orderId, expect) => {
        const before = await subject.runtime.find(orderId)
        const next = await subject.open()
        expect(await next.find(orderId)).toEqual(before)
        await answers({ runtime: next, expect }, orderId, subject.nginx)
        await next.close({ stopWorkloads: false })
        // The two shared an engine, which has ended with the other.
        await subject.runtime.check()
      }),
  },
]

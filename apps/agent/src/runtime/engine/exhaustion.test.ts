import { watch } from 'node:fs'
import { connect } from 'node:net'
import { freemem, totalmem } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../foundation/runCommand.ts'
import { setupRuntime, type TestRuntime } from '../../testing/setupRuntime.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'
import type { TerminalStream } from '../Runtime.ts'
import { startFakeOutside } from './fakeOutside.ts'
import { KERNEL_LIMITS, kernelLimit } from './kernelLimits.ts'
import { openFilesOf, TENANT_LIMITS } from './tenantLimits.ts'

const SHELL = 3
const TENANT = 1n
const NEIGHBOUR = 2n
/** What this machine can spare, up to what one asks who computes on large arrays in several processes. */
const SHARED_BYTES = Math.min(2 ** 31, Math.floor(freemem() / 8 / 2 ** 20) * 2 ** 20)
const SIZE = { columns: 80, rows: 24 }
const TIMER_CREATE = process.arch === 'arm64' ? 107 : 222
const reason = whyNoContainers()

/** One tenant exhausts resources shared by the whole kernel; this machine and a neighbour keep working. */
describe.skipIf(reason)(`a tenant that exhausts shared kernel resources (${reason ?? 'here'})`, () => {
  let market: TestRuntime
  let outside: Awaited<ReturnType<typeof startFakeOutside>>

  beforeAll(async () => {
    outside = await startFakeOutside([80])
    market = await setupRuntime({ resolvers: [outside.public] })
    for (const orderId of [TENANT, NEIGHBOUR])
      await market.run(orderId, SHELL, { cores: 1, memoryBytes: 2 * SHARED_BYTES, diskBytes: 2 ** 26 })
  })
  afterAll(async () => {
    await market?.close()
    await outside?.close()
  })

  it('leaves enough open files for others to start programs', async () => {
    const taken = await takeAll(
      `import resource
kids = 2
for i in range(kids):
  r, w = os.pipe()
  if os.fork() == 0:
    n = fill(lambda: os.open("/dev/null", 0))[0]
    os.write(w, str(n).encode())
    signal.pause()
  os.close(w); count += int(os.read(r, 9)); os.close(r)
why = resource.getrlimit(resource.RLIMIT_NOFILE)[1]`,
      async () => {
        expect((await market.inside(NEIGHBOUR, 'echo runs')).output).toContain('runs')
        expect((await runCommand('echo', ['runs'])).stdout).toContain('runs')
      },
    )
    const { stdout } = await runCommand('sh', ['-c', 'ulimit -Hn'])
    expect(taken.why).toBe(Math.min(openFilesOf(), Number(stdout)))
    // Each takes memory that its tenant bought.
    expect(kernelLimit('fs.file-max')).toBeGreaterThan(totalmem() / 200)
  })

  it('starts two thousand threads and not many more processes, and leaves others theirs', async () => {
    const taken = await takeAll(
      `import threading
threading.stack_size(65536)
end = threading.Event()
for i in range(2000): threading.Thread(target=end.wait, daemon=True).start(); count += 1
while count < 9000:
  try:
    if os.fork() == 0: signal.pause()
  except OSError as error: why = error.errno; break
  count += 1`,
      async () => {
        const storm = 'for i in $(seq 100); do sleep 100 & done; kill $(jobs -p); echo runs'
        expect((await market.inside(NEIGHBOUR, storm)).output).toContain('runs')
        expect((await runCommand('echo', ['runs'])).stdout).toContain('runs')
      },
    )
    expect(taken.why).toBe(11)
    expect(taken.count).toBeGreaterThanOrEqual(2000)
    expect(taken.count).toBeLessThan(2048)
  })

  it('fills half of its memory as shared memory, and leaves others theirs', async () => {
    const taken = await takeAll(
      `f = open("/dev/shm/all", "wb", buffering=0)
block = bytes(2 ** 20)
try:
  while True: count += f.write(block)
except OSError as error: why = error.errno`,
      async () => {
        expect(
          (await market.inside(NEIGHBOUR, 'head -c 64M /dev/zero > /dev/shm/mine && stat -c %s /dev/shm/mine')).output,
        ).toContain(String(2 ** 26))
      },
    )
    await market.inside(TENANT, 'rm /dev/shm/all')
    expect(taken).toEqual({ count: SHARED_BYTES, why: 28 })
  })

  it('gets its share of inotify, and leaves others theirs', async () => {
    const taken = await takeAll('count, why = fill(lambda: call("inotify_init"))', async () => {
      watch('/').close()
      expect(await pythonIn(NEIGHBOUR, 'print(call("inotify_init") >= 0)')).toBe('True')
    })
    expect(taken).toEqual({ count: TENANT_LIMITS.inotifyInstances, why: 24 })
  })

  it('gets its share of terminals, and leaves others theirs', async () => {
    const taken = await takeAll('count, why = fill(os.openpty)', async () => {
      const { stream } = await market.runtime.terminal(NEIGHBOUR, ['echo', 'opened'], SIZE)
      expect(await textOf(stream)).toContain('opened')
      expect((await runCommand('script', ['-qec', 'echo opened', '/dev/null'])).stdout).toContain('opened')
    })
    // One more is the program's own terminal.
    expect(taken).toEqual({ count: TENANT_LIMITS.terminals - 1, why: 28 })
  })

  it('gets its share of timers, and leaves others theirs', async () => {
    const timer = 'call("timer_create", 1, None, ctypes.byref(ctypes.c_int()))'
    const taken = await takeAll(`count, why = fill(lambda: ${timer})`, async () => {
      const host = await runCommand('perl', ['-e', `my $id = pack("i", 0); exit(syscall(${TIMER_CREATE}, 1, 0, $id) ? 1 : 0)`])
      expect(host.code).toBe(0)
      expect(await pythonIn(NEIGHBOUR, `print(${timer})`)).toBe('0')
    })
    expect(taken.why).toBe(11)
    expect(taken.count).toBeLessThanOrEqual(TENANT_LIMITS.pendingSignals)
    expect(taken.count).toBeGreaterThan(TENANT_LIMITS.pendingSignals / 2)
  })

  it('gets its share of connections, and leaves others theirs', async () => {
    const taken = await takeAll(
      `count, why = fill(lambda: socket.create_connection(("${outside.public}", 80), 100))`,
      connectsEverybody,
    )
    expect(taken).toEqual({ count: TENANT_LIMITS.connections, why: 111 })
  })

  it('cannot fill the connection table with packets to many destinations either', async () => {
    const known = () => kernelLimit('net.netfilter.nf_conntrack_count') ?? 0
    const before = known()
    await takeAll(
      `s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for i in range(30000):
  try: s.sendto(b"x", ("${outside.public}", 1024 + i))
  except OSError as error: why = error.errno
  else: count += 1`,
      async () => {
        expect(known() - before).toBeLessThanOrEqual(TENANT_LIMITS.connections + TENANT_LIMITS.newConnectionsAtOnce)
        await connectsEverybody()
      },
    )
  })

  it('has kernel limits high enough for all tenants together', () => {
    for (const { name, least } of KERNEL_LIMITS) expect(kernelLimit(name), name).toBeGreaterThanOrEqual(least)
  })

  /** Prelude of the programs inside: `fill` repeats a call until it fails, and returns the count and the errno. */
  const PRELUDE = `import ctypes, os, signal, socket
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *args):
  r = getattr(libc, name)(*args)
  if r < 0: raise OSError(ctypes.get_errno(), name)
  return r
kept = []
def fill(one):
  try:
    while len(kept) < 300000: kept.append(one())
  except OSError as error: return len(kept), error.errno
  return len(kept), 0
count = why = 0
`
  /** Runs a program in the tenant's container that takes all it can get and keeps it, and calls `meanwhile` once it gets no more. */
  const takeAll = async (program: string, meanwhile: () => Promise<void>): Promise<{ count: number; why: number }> => {
    const code = `${PRELUDE}${program}\nprint("taken", count, why, flush=True)\nsignal.pause()\n`
    const terminal = await market.runtime.terminal(TENANT, ['python3', '-c', code], SIZE)
    try {
      const [, count, why] = await until(terminal, /taken (\d+) (\d+)/)
      await meanwhile()
      return { count: Number(count), why: Number(why) }
    } finally {
      terminal.stream.destroy()
      await expect.poll(async () => (await market.inside(TENANT, 'pgrep -c python3')).output.trim()).toBe('0')
    }
  }
  const pythonIn = async (orderId: bigint, code: string) =>
    (await market.inside(orderId, `python3 -c '${PRELUDE}${code}'`)).output.trim()
  const connectsEverybody = async () => {
    await new Promise<void>((resolve, reject) =>
      connect(80, outside.public, function (this: { destroy(): void }) {
        this.destroy()
        resolve()
      }).once('error', reject),
    )
    expect(await pythonIn(NEIGHBOUR, `print(socket.create_connection(("${outside.public}", 80), 100).fileno() > 0)`)).toBe('True')
  }
})

const until = ({ stream }: TerminalStream, pattern: RegExp): Promise<RegExpExecArray> =>
  new Promise((resolve, reject) => {
    let text = ''
    stream.on('data', (chunk: Buffer) => {
      text += chunk
      const found = pattern.exec(text)
      if (found) resolve(found)
    })
    stream.once('close', () => reject(new Error(text)))
  })

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += chunk
  return text
}

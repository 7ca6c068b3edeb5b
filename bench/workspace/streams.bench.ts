import { spawn } from 'node:child_process'
import { createReadStream, existsSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectMarket, withAccount } from '@rackfair/sdk'
import { download, logs, openWorkspace, terminal, upload, type Workspace } from '@rackfair/sdk/workspace'
import { type Buyer, createBuyer, freePort, startMarket, visit } from '@rackfair/testkit'

/**
 * A workspace through the real platform and agent to a container, as a program uses it: the echo time of a key, the throughput of a log,
 * and a file upload and download compared with scp to an sshd on this machine.
 */
const KEYS = 100
const SSHD = process.env.RACKFAIR_BENCH_SSHD ?? '/usr/sbin/sshd'
const FILE_BYTES = Number(process.env.RACKFAIR_BENCH_MIB ?? 1024) * 2 ** 20
const LOG_LINES = 8000
/** Length of the requested path, which is part of the line; nginx cuts lines of its error log at 2 KiB. */
const LINE_BYTES = 2000

const folder = await mkdtemp(join(tmpdir(), 'rackfair-bench-'))
const market = await startMarket({ agent: true })
try {
  const buyer = await createBuyer(market.url)
  await run(buyer, 'ubuntu')
  const renter = withAccount(await connectMarket({ platform: market.url }), buyer.account)
  const workspace = await openWorkspace(renter, BigInt(buyer.order.id))
  console.log('| | p50, ms | p95, ms |\n|---|---|---|')
  print('key to its echo in a terminal', await echoes(workspace))
  const log = await logSpeed()
  console.log(
    `\nlog of ${log.lines} lines: ${log.megabytes.toFixed(0)} MB/s; memory of the reader: ${log.grown.toFixed(0)} MiB more`,
  )
  const [up, down] = await files(workspace)
  const scp = await scpSpeed().catch((error: Error) => console.log(`scp: ${error.message}`))
  console.log(`\n| ${FILE_BYTES / 2 ** 20} MiB | up, MB/s | down, MB/s |\n|---|---|---|`)
  if (scp) console.log(`| scp, sshd of this machine | ${scp[0].toFixed(0)} | ${scp[1].toFixed(0)} |`)
  console.log(`| workspace | ${up.toFixed(0)} | ${down.toFixed(0)} |`)
  console.log(`\nlargest resident memory of this process: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB`)
  workspace.close()
} finally {
  await market.stop()
  await rm(folder, { recursive: true, force: true })
}

async function run({ api, sign }: Buyer, preset: 'ubuntu' | 'nginx'): Promise<void> {
  const { id } = await api.deploy(await sign(preset))
  for (;;) {
    const { phase } = await api.deployment(id)
    if (phase === 'Running') return
    if (phase === 'Failed') throw new Error(`${preset} could not be started`)
    await sleep(200)
  }
}

/** Each key is typed once the previous one has been drawn. */
async function echoes(workspace: Workspace): Promise<number[]> {
  const taken: number[] = []
  let drawn = Promise.withResolvers<void>()
  async function* keys() {
    for (let key = 0; key < KEYS; key += 1) {
      drawn = Promise.withResolvers<void>()
      const start = performance.now()
      yield Buffer.from('a')
      await drawn.promise
      taken.push(performance.now() - start)
    }
  }
  await terminal(workspace, { columns: 250, rows: 24, input: keys(), onBytes: () => drawn.resolve(), command: ['/bin/cat'] })
  return taken
}

/** Reads lines that nginx has already written, one per request, as fast as possible. */
async function logSpeed(): Promise<{ megabytes: number; lines: number; grown: number }> {
  const other = await createBuyer(market.url)
  await run(other, 'nginx')
  const { visitUrl } = await other.api.orderDeployment(other.order.id)
  const long = 'x'.repeat(LINE_BYTES)
  let asked = 0
  const ask = async () => {
    while (asked++ < LOG_LINES) await (await visit(visitUrl ?? '', `/${long}`)).arrayBuffer()
  }
  await Promise.all(Array.from({ length: 16 }, ask))
  const renter = withAccount(await connectMarket({ platform: market.url }), other.account)
  const workspace = await openWorkspace(renter, BigInt(other.order.id))
  const before = process.memoryUsage().rss
  const start = performance.now()
  let [bytes, count, most] = [0, 0, before]
  for await (const line of logs(workspace)) {
    bytes += line.bytes.length
    count += 1
    if (count % 100 === 0) most = Math.max(most, process.memoryUsage().rss)
  }
  const seconds = (performance.now() - start) / 1000
  workspace.close()
  return { megabytes: bytes / 1e6 / seconds, lines: count, grown: (most - before) / 2 ** 20 }
}

/** Copies the file that `files` made to an OpenSSH server on this machine and back. */
async function scpSpeed(): Promise<[up: number, down: number]> {
  if (!existsSync(SSHD)) throw new Error('sshd is not installed')
  const run = async (file: string, args: readonly string[]) => {
    const child = spawn(file, args, { stdio: 'ignore' })
    const code = await new Promise((resolve) => child.once('close', resolve).once('error', resolve))
    if (code !== 0) throw new Error(`${file} ended with ${code}`)
  }
  const [key, host, port] = [join(folder, 'key'), join(folder, 'host'), String(await freePort())]
  for (const one of [key, host]) await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', one])
  const settings = [
    `HostKey=${host}`,
    `AuthorizedKeysFile=${key}.pub`,
    'StrictModes=no',
    'UsePAM=no',
    'PidFile=none',
    'Subsystem=sftp internal-sftp',
  ]
  const server = spawn(SSHD, ['-D', '-p', port, '-f', '/dev/null', ...settings.flatMap((one) => ['-o', one])])
  try {
    const accept = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'ConnectionAttempts=20']
    const scp = (from: string, to: string) =>
      run('scp', ['-q', '-P', port, '-i', key, ...accept.flatMap((one) => ['-o', one]), from, to])
    const there = `root@127.0.0.1:${join(folder, 'there')}`
    const up = await megabytesPerSecond(() => scp(join(folder, 'large'), there))
    return [up, await megabytesPerSecond(() => scp(there, join(folder, 'again')))]
  } finally {
    server.kill()
  }
}

async function files(workspace: Workspace): Promise<[up: number, down: number]> {
  const file = join(folder, 'large')
  const piece = Buffer.alloc(2 ** 20, 'rackfair')
  const made = await open(file, 'w')
  for (let at = 0; at < FILE_BYTES; at += piece.length) await made.write(piece)
  await made.close()
  const up = await megabytesPerSecond(() =>
    upload(workspace, '/home/renter/large', createReadStream(file, { highWaterMark: 256 * 1024 }), { size: FILE_BYTES }),
  )
  const down = await megabytesPerSecond(async () => {
    const back = await open(join(folder, 'back'), 'w')
    await download(workspace, '/home/renter/large', {
      onBytes: async (bytes) => {
        await back.write(bytes)
      },
    })
    await back.close()
  })
  return [up, down]
}

async function megabytesPerSecond(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return FILE_BYTES / 1e6 / ((performance.now() - start) / 1000)
}

function print(what: string, taken: number[]): void {
  const sorted = taken.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.toFixed(1)
  console.log(`| ${what} (${taken.length}) | ${at(0.5)} | ${at(0.95)} |`)
}

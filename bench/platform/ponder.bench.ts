import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { contractAbis } from '@rackfair/sdk'
import { builtProgram, freePort } from '@rackfair/testkit'
import { installPeer } from '../installPeer.ts'
import { onEachDatabase } from './databases.ts'
import { makeHistory } from './makeHistory.ts'
import { table } from './table.ts'

/**
 * From starting a process to fully synced, from an empty store and again from its stored state, on the same chain. Peer: Ponder, installed
 * into a folder of its own, with handlers that store fewer columns than ours.
 */
const EVENTS = Number(process.env.RACKFAIR_BENCH_EVENTS ?? 20_000)
const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'rackfair-bench-ponder-'))
/** As it is installed, like Ponder. */
const program = await builtProgram('platform')
const { home, missing } = installPeer('platform/ponder')
if (missing) console.log(`Ponder is left out: ${missing}`)
const chain = await makeHistory(EVENTS)
const deployment = join(folder, 'deployment.json')
writeFileSync(deployment, JSON.stringify(chain.deployment))
writeFileSync(
  join(home, 'market.json'),
  JSON.stringify({
    rpcUrl: chain.rpcUrl,
    ...chain.deployment,
    ...{ registryAbi: contractAbis.registry, marketAbi: contractAbis.market, pledgeAbi: contractAbis.pledge },
  }),
)

const rows: (string | number)[][] = []
await onEachDatabase(async (name, { dataFolder, databaseUrl }) => {
  const url = databaseUrl === undefined ? undefined : new URL(databaseUrl)
  const store = databaseUrl === undefined ? ['--data', dataFolder] : ['--database-url', databaseUrl]
  const ours = (port: number) => [program, '--port', String(port), '--rpc', chain.rpcUrl, '--deployment', deployment, ...store]
  const first = await readyAfter(ours, root, '/readyz', {})
  const again = await readyAfter(ours, root, '/readyz', {})
  rows.push([`Rackfair, ${name}`, ...shown(first), '1.0', seconds(again.milliseconds), '1.0'])
  if (missing) return
  const ponder = (port: number) => {
    const bin = join(home, 'node_modules/ponder/dist/esm/bin/ponder.js')
    return [bin, 'start', '--root', home, '--schema', 'market', '--port', String(port), '--log-level', 'error']
  }
  const env = { DATABASE_URL: url ? url.href : '', PONDER_TELEMETRY_DISABLED: '1' }
  rmSync(join(home, '.ponder'), { recursive: true, force: true })
  const theirs = await readyAfter(ponder, home, '/ready', env)
  const theirsAgain = await readyAfter(ponder, home, '/ready', env)
  const times = (a: Ready, b: Ready) => (a.milliseconds / b.milliseconds).toFixed(1)
  rows.push([
    `Ponder, ${url ? name : 'PGlite'}`,
    ...[...shown(theirs), times(theirs, first), seconds(theirsAgain.milliseconds), times(theirsAgain, again)],
  ])
})
table([`${EVENTS} events`, 'to ready', 'memory', 'times ours', 'restart', 'times ours'], rows)
await chain.stop()
rmSync(folder, { recursive: true, force: true })

interface Ready {
  milliseconds: number
  memory: string
}

/** Starts a process, waits until it reports ready, and ends it. */
async function readyAfter(argsFor: (port: number) => string[], cwd: string, path: string, env: object): Promise<Ready> {
  const port = await freePort()
  const started = performance.now()
  const child = spawn(process.execPath, argsFor(port), {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  for (;;) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode} before it was ready`)
    const isReady = await fetch(`http://127.0.0.1:${port}${path}`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (isReady) break
    await sleep(10)
  }
  const ready = { milliseconds: performance.now() - started, memory: memoryOf(child) }
  child.kill('SIGTERM')
  await exited
  return ready
}

function shown({ milliseconds, memory }: Ready): string[] {
  return [seconds(milliseconds), memory]
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`
}

function memoryOf(child: ChildProcess): string {
  if (process.platform !== 'linux') return '-'
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
  return `${Math.round(Number(peak) / 1024)} MB`
}

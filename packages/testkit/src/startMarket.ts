import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePortRow, freePorts } from './freePort.ts'

const MAIN = fileURLToPath(new URL('../../../apps/market/src/main.ts', import.meta.url))
const START_MS = 300_000
const REMOVE_MS = 30_000

export interface RunningMarket {
  url: string
  rpcUrl: string
  stateDir: string
  gatewayPort: number
  /** Where names have TLS; undefined without `edge`. */
  edgePort: number | undefined
  /** Everything it has printed. */
  output: () => string
  /** Ends it with Ctrl-C, or with kill -9 of each of its processes named in `market.json`. The state stays. */
  end: (signal: 'SIGINT' | 'SIGKILL') => Promise<void>
  /** Restarts it on the same state and ports, without `--sample`. Returns what it printed until it was up. */
  resume: () => Promise<string>
  /** Ends it for good and removes its state. */
  stop: () => Promise<void>
}

/**
 * The real local market on free ports in a folder of its own: chain, contracts, platform, web build; `agent` adds the provider on this
 * machine, `sample` adds providers with simulated hardware, `edge` names with TLS, `monitors` those who would report every provider that a test only simulates,
 * `site` its links, `images` keeps its images apart from this checkout's, `agentConfig` is its agent's configuration. It continues from
 * a copy of `from`, the state of a stopped market, or deploys its contracts.
 */
export async function startMarket(
  options: {
    agent?: boolean
    sample?: boolean
    edge?: boolean
    monitors?: boolean
    site?: object
    images?: string
    agentConfig?: object
    from?: string
  } = {},
): Promise<RunningMarket> {
  const state = mkdtempSync(join(tmpdir(), 'rackfair-market-'))
  if (options.from) cpSync(options.from, state, { recursive: true })
  const [port = 0, rpcPort = 0, gatewayPort = 0] = await freePorts(3)
  const edgePort = options.edge ? await freePortRow(6) : undefined
  const args = [
    '--state',
    state,
    '--port',
    `${port}`,
    '--rpc-port',
    `${rpcPort}`,
    '--gateway-port',
    `${gatewayPort}`,
    '--no-install',
    ...(edgePort === undefined ? [] : ['--edge', '--edge-port', `${edgePort}`]),
    ...(options.agent ? [] : ['--no-agent']),
    ...(options.monitors ? [] : ['--no-monitors']),
    ...(options.images ? ['--images', options.images] : []),
  ]
  if (options.site) {
    const file = join(state, 'site.json')
    writeFileSync(file, JSON.stringify(options.site))
    args.push('--site', file)
  }
  if (options.agentConfig) {
    mkdirSync(join(state, 'agent'))
    writeFileSync(join(state, 'agent', 'config.json'), JSON.stringify(options.agentConfig))
  }
  let child: ChildProcess
  let printed = ''
  const start = async (more: readonly string[]) => {
    child = spawn(process.execPath, [MAIN, ...args, ...more], { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        printed += chunk
      })
    return isUp(child)
  }
  const end = async (signal: NodeJS.Signals) => {
    const left = signal === 'SIGKILL' ? childrenOf(state) : []
    await endProcess(child, signal)
    for (const pid of left) killGroup(pid)
  }
  const stop = async () => {
    await end('SIGTERM')
    const runtime = agentRuntimeFolders(state)
    await removeState(state)
    for (const folder of runtime) await removeState(folder)
  }
  try {
    await start(options.sample ? ['--sample'] : [])
  } catch (error) {
    await stop()
    throw error
  }
  return {
    ...{ url: `http://127.0.0.1:${port}`, rpcUrl: `http://127.0.0.1:${rpcPort}`, stateDir: state, gatewayPort, edgePort },
    ...{ output: () => printed, end, resume: () => start([]), stop },
  }
}

function childrenOf(state: string): number[] {
  const claim = JSON.parse(readFileSync(join(state, 'market.json'), 'utf8')) as { children: { pid: number }[] }
  return claim.children.map(({ pid }) => pid)
}

/** Each process of a market leads a process group of its own; one that has already ended leaves no group. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function isUp(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const timer = setTimeout(() => reject(new Error(`The market did not start:\n${output}`)), START_MS)
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('The market is up')) {
        clearTimeout(timer)
        resolve(output)
      }
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`The market ended with ${code}:\n${output}`))
    })
  })
}

function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill(signal)
  })
}

/** What the agents of a market keep outside its state, for their next start. */
function agentRuntimeFolders(state: string): string[] {
  const samples = join(state, 'samples')
  const names = existsSync(samples) ? readdirSync(samples) : []
  return [join(state, 'agent'), ...names.map((name) => join(samples, name))].flatMap((dir) => {
    const config = join(dir, 'config.json')
    if (!existsSync(config)) return []
    // One that was never prepared has no name yet.
    const { instance } = JSON.parse(readFileSync(config, 'utf8')) as { instance?: string }
    return instance === undefined ? [] : [`/run/rackfair-${instance}`, `/run/rackfair-${instance}-roots`]
  })
}

/** The engine's helpers briefly mount its storage again after the agent has ended. */
async function removeState(state: string): Promise<void> {
  const unmount = 'grep -F " $1/" /proc/self/mounts | cut -d " " -f 2 | tac | xargs -r umount -l'
  for (const deadline = Date.now() + REMOVE_MS; ; ) {
    try {
      rmSync(state, { recursive: true, force: true })
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
    spawnSync('sh', ['-c', unmount, 'sh', state])
    await sleep(500)
  }
}

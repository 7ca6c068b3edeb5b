import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from './freePort.ts'

const MAIN = fileURLToPath(new URL('../../../apps/market/src/main.ts', import.meta.url))
const START_MS = 300_000
const REMOVE_MS = 30_000

export interface RunningMarket {
  url: string
  rpcUrl: string
  stateDir: string
  stop: () => Promise<void>
}

/** The real local market on free ports in a folder of its own: chain, contracts, platform, web build; `agent` adds the provider on this machine, `site` its links. */
export async function startMarket(options: { agent?: boolean; site?: object } = {}): Promise<RunningMarket> {
  const state = mkdtempSync(join(tmpdir(), 'rackfair-market-'))
  const [port, rpcPort, gatewayPort] = [await freePort(), await freePort(), await freePort()]
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
    ...(options.agent ? [] : ['--no-agent']),
  ]
  if (options.site) {
    const file = join(state, 'site.json')
    writeFileSync(file, JSON.stringify(options.site))
    args.push('--site', file)
  }
  const child = spawn(process.execPath, [MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = async () => {
    await end(child)
    await removeState(state)
  }
  try {
    await isUp(child)
  } catch (error) {
    await stop()
    throw error
  }
  return { url: `http://127.0.0.1:${port}`, rpcUrl: `http://127.0.0.1:${rpcPort}`, stateDir: state, stop }
}

function isUp(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    const timer = setTimeout(() => reject(new Error(`The market did not start:\n${output}`)), START_MS)
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('The market is up')) {
        clearTimeout(timer)
        resolve()
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

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

/** The engine's helpers mount its storage again for a moment after the agent has ended. */
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
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

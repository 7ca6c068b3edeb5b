import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { LocalMarket } from './deployContracts.ts'
import type { Print } from './print.ts'
import type { ProcessSpec } from './Supervisor.ts'

export interface AgentOptions {
  root: string
  market: LocalMarket
  rpcUrl: string
  platformUrl: string
  gatewayPort: number
  stateDir: string
  imagesDir: string
}

/** Registers this machine as a provider, its nodes and its pledge; a second run changes nothing. */
export async function prepareAgent(options: AgentOptions, print: Print): Promise<void> {
  print.step('Preparing this machine as a provider ...')
  const { dir, program } = paths(options)
  const env = { RACKFAIR_PROVIDER_KEY: options.market.providerKey }
  const args = [
    ...['init', '--yes', '--config', join(dir, 'config.json'), '--data', dir],
    ...['--rpc', options.rpcUrl, '--access', options.market.deployment.access, '--platform', options.platformUrl],
    ...['--gateway-port', String(options.gatewayPort), '--image-cache', options.imagesDir],
    // Nobody is there to ask, and the money is play money.
    ...['--gpu-price', 'other=50'],
  ]
  if (!(await run([program, ...args], env, print)))
    throw new Error(
      'This machine could not be prepared as a provider; the lines above say why. "npm start -- --no-agent" goes on without.',
    )
}

/**
 * Stops the applications that outlived the agent of this state, which is not running. Their data stays. Where that fails it is said: what
 * still runs then holds memory and disk until the machine is restarted.
 */
export async function haltAgent({ root, stateDir }: Pick<AgentOptions, 'root' | 'stateDir'>, print: Print): Promise<void> {
  const { dir, program } = paths({ root, stateDir })
  const config = join(dir, 'config.json')
  if (!existsSync(config)) return
  if (!(await run([program, 'halt', '--config', config], {}, print)))
    print.step('The applications of the market before could not be stopped; the lines above say why.')
}

/** Runs a command of the agent to its end, its lines on the terminal. Answers whether it went well. */
async function run(args: readonly string[], env: Record<string, string>, print: Print): Promise<boolean> {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  print.stream('agent', child.stdout)
  print.stream('agent', child.stderr)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code === 0))
  })
}

/** The agent itself; ready once its gateway answers, whatever it says to a visitor without an order. */
export function agentProcess(options: AgentOptions): ProcessSpec {
  const { dir, program } = paths(options)
  return {
    name: 'agent',
    command: process.execPath,
    args: [program, 'start', '--config', join(dir, 'config.json')],
    isReady: async () =>
      (await fetch(`http://127.0.0.1:${options.gatewayPort}/`, { signal: AbortSignal.timeout(5000) })).status > 0,
  }
}

function paths({ root, stateDir }: Pick<AgentOptions, 'root' | 'stateDir'>) {
  return { dir: join(stateDir, 'agent'), program: join(root, 'apps', 'agent', 'src', 'main.ts') }
}

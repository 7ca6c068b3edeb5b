import { spawn } from 'node:child_process'
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
}

/** Registers this machine as a provider, its nodes and its pledge; a second run changes nothing. */
export async function prepareAgent(options: AgentOptions, print: Print): Promise<void> {
  print.step('Preparing this machine as a provider ...')
  const { dir, program, env } = paths(options)
  const args = [
    ...['init', '--yes', '--config', join(dir, 'config.json'), '--data', dir],
    ...['--rpc', options.rpcUrl, '--access', options.market.deployment.access, '--platform', options.platformUrl],
    ...['--gateway-port', String(options.gatewayPort), '--image-cache', join(options.root, '.rackfair', 'images')],
    // Nobody is there to ask, and the money is play money.
    ...['--gpu-price', 'other=50'],
  ]
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  print.stream('agent', child.stdout)
  print.stream('agent', child.stderr)
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0)
    throw new Error(
      'This machine could not be prepared as a provider; the lines above say why. "npm start -- --no-agent" goes on without.',
    )
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

function paths(options: AgentOptions) {
  return {
    dir: join(options.stateDir, 'agent'),
    program: join(options.root, 'apps', 'agent', 'src', 'main.ts'),
    env: { RACKFAIR_PROVIDER_KEY: options.market.providerKey },
  }
}

import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Hex } from 'viem'
import type { LocalMarket } from './deployContracts.ts'
import type { Print } from './print.ts'
import type { ProcessSpec } from './Supervisor.ts'

/** What the agents of a market have in common. */
export interface AgentOptions {
  /** The agent's program file, as returned by `builtProgram`. */
  program: string
  market: Pick<LocalMarket, 'deployment'>
  rpcUrl: string
  platformUrl: string
  imagesDir: string
}

/** One agent of the local market, in a folder of its own under the state folder. */
export interface LocalAgent {
  name: string
  dir: string
  gatewayPort: number
  providerKey: Hex
  /** Options for its `init`, in addition to those of every agent. */
  choices: readonly string[]
}

/** The agent that offers this machine. */
export const machineAgent = (stateDir: string, gatewayPort: number, { providerKey }: LocalMarket): LocalAgent => ({
  ...{ name: 'agent', dir: join(stateDir, 'agent'), gatewayPort, providerKey },
  // There is nobody to prompt, and the money is not real.
  choices: ['--gpu-price', 'other=50'],
})

/** Where the providers of `--sample` have their folders. */
export const samplesFolder = (stateDir: string): string => join(stateDir, 'samples')

/** Whether this agent has run before: its machine is then on the market, and preparing it needs no platform. */
export const hasRun = ({ dir }: LocalAgent): boolean => existsSync(join(dir, 'data', 'agent.sqlite'))

/** Registers a provider, its nodes and its pledge; idempotent. Returns whether it succeeded. */
export function prepareAgent(options: AgentOptions, agent: LocalAgent, print: Print): Promise<boolean> {
  const { deployment } = options.market
  const args = [
    ...['init', '--yes', '--config', configOf(agent.dir), '--data', agent.dir],
    ...['--rpc', options.rpcUrl, '--access', deployment.access, '--platform', options.platformUrl],
    ...(deployment.purseFactory ? ['--purses', deployment.purseFactory] : []),
    ...['--gateway-port', String(agent.gatewayPort), '--image-cache', options.imagesDir, ...agent.choices],
  ]
  return run(agent.name, [options.program, ...args], { RACKFAIR_PROVIDER_KEY: agent.providerKey }, print)
}

/**
 * Stops the applications that outlived the agents of this state, which are not running. Their data stays. Where that fails it is said: what
 * still runs then holds memory and disk until the machine is restarted.
 */
export async function haltAgents({ program, stateDir }: { program: string; stateDir: string }, print: Print): Promise<void> {
  const samples = samplesFolder(stateDir)
  const names = existsSync(samples) ? readdirSync(samples) : []
  for (const dir of [join(stateDir, 'agent'), ...names.map((name) => join(samples, name))])
    if (existsSync(configOf(dir))) await haltAgent({ name: 'agent', dir }, program, print)
}

async function haltAgent({ name, dir }: Pick<LocalAgent, 'name' | 'dir'>, program: string, print: Print): Promise<void> {
  if (!(await run(name, [program, 'halt', '--config', configOf(dir)], {}, print)))
    print.step(`The applications of ${name} could not be stopped; the lines above say why.`)
}

/** Runs a command of the agent to completion, printing its output. Returns whether it succeeded. */
async function run(name: string, args: readonly string[], env: Record<string, string>, print: Print): Promise<boolean> {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  print.stream(name, child.stdout)
  print.stream(name, child.stderr)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code === 0))
  })
}

/**
 * The agent itself; ready once its gateway answers, whatever it says to a visitor without an order. It stops its applications before it
 * exits, which takes a while on a busy machine; those of a killed agent are stopped without it.
 */
export function agentProcess({ program }: Pick<AgentOptions, 'program'>, agent: LocalAgent, print: Print): ProcessSpec {
  const { name, dir, gatewayPort } = agent
  return {
    name,
    stopWithinMs: 60_000,
    cleanUp: () => haltAgent(agent, program, print),
    command: process.execPath,
    args: [program, 'start', '--config', configOf(dir)],
    isReady: async () => (await fetch(`http://127.0.0.1:${gatewayPort}/`, { signal: AbortSignal.timeout(5000) })).status > 0,
  }
}

export const configOf = (dir: string): string => join(dir, 'config.json')

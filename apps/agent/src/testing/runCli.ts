import { type ChildProcess, spawn } from 'node:child_process'
import { builtProgram } from '@rackfair/testkit'

const PROGRAM = await builtProgram('agent')

export interface CliOptions {
  /** The provider's own key, as a user would set it in the environment. */
  providerKey?: string
  env?: NodeJS.ProcessEnv
  uid?: number
}

/** Fields of the commands' --json output that tests read; each command has some of them. */
export interface CliAnswer {
  error: { code: string; message: string }
  done: { title: string }[]
  open: { title: string; data: string; costWei: string }[]
  steps: { step: string }[]
  nodes: { standing: string }[]
  stdout: string
  file: string
  withdrawnWei: string
  interestWei: string
}

/** Runs the agent's command line like a user or a program. With --json, `json` is the one value that it printed. */
export async function runCli<Answer = CliAnswer>(args: readonly string[], options: CliOptions = {}) {
  const child = startCli(args, options)
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, stdout, stderr, json: (args.includes('--json') ? parse(stdout) : undefined) as Answer }
}

export function startCli(args: readonly string[], options: CliOptions = {}): ChildProcess {
  const { RACKFAIR_PROVIDER_KEY: _, ...env } = { ...process.env, ...options.env }
  return spawn(process.execPath, [PROGRAM, ...args], {
    env: { RACKFAIR_FASTER: '10', ...env, ...(options.providerKey ? { RACKFAIR_PROVIDER_KEY: options.providerKey } : {}) },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  })
}

function parse(stdout: string): unknown {
  try {
    return JSON.parse(stdout)
  } catch {
    throw new Error(`not one JSON value: ${stdout.slice(0, 500)}`)
  }
}

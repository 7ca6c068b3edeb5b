import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** How to recognize the command line of each process of a local market, whatever the checkout's folder is called. */
const PROGRAMS = {
  agent: '/.rackfair/programs/agent/',
  platform: '/.rackfair/programs/platform/',
  chain: '/bin/anvil',
  monitor: '/.rackfair/programs/monitor/',
} as const

/** The processes that a local market keeps alive. */
export type ProcessName = keyof typeof PROGRAMS

/** The running process of the market with this state, or `market` for the one that supervises the others. Throws if it is not running. */
export function pidOf(stateDir: string, name: ProcessName | 'market'): number {
  if (name === 'market') return claimOf(stateDir).pid
  const [pid] = pidsOf(stateDir, name)
  if (pid === undefined) throw new Error(`${name} does not run`)
  return pid
}

/** All running processes of this name, as a market has several monitors. */
export const pidsOf = (stateDir: string, name: ProcessName): number[] =>
  claimOf(stateDir)
    .children.map(({ pid }) => pid)
    .filter((pid) => commandLine(pid).includes(PROGRAMS[name]))

const claimOf = (stateDir: string) =>
  JSON.parse(readFileSync(join(stateDir, 'market.json'), 'utf8')) as { pid: number; children: { pid: number }[] }

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

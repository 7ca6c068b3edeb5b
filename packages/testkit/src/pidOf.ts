import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** How the command line of each process of a local market is told from any other, whatever the checkout's folder is called. */
const PROGRAMS = {
  agent: '/.rackfair/programs/agent/',
  platform: '/.rackfair/programs/platform/',
  chain: '/bin/anvil',
  monitor: '/.rackfair/programs/monitor/',
} as const

/** The processes that a local market keeps alive. */
export type ProcessName = keyof typeof PROGRAMS

/** The process of the market with this state that runs now, or `market` for the one that keeps the others alive. Throws while it does not run. */
export function pidOf(stateDir: string, name: ProcessName | 'market'): number {
  if (name === 'market') return claimOf(stateDir).pid
  const [pid] = pidsOf(stateDir, name)
  if (pid === undefined) throw new Error(`${name} does not run`)
  return pid
}

/** All of this name that run now, as a market has several monitors. */
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

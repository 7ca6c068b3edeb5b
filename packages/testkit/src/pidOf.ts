import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** How the command line of each process of a local market is told from any other, whatever the checkout's folder is called. */
const PROGRAMS = {
  agent: 'apps/agent/src/main.ts',
  platform: 'apps/platform/src/main.ts',
  chain: '/bin/anvil',
  monitor: '/.rackfair/monitor/',
} as const

/** The processes that a local market keeps alive. */
export type ProcessName = keyof typeof PROGRAMS

/** The process of the market with this state that runs now, or `market` for the one that keeps the others alive. Throws while it does not run. */
export function pidOf(stateDir: string, name: ProcessName | 'market'): number {
  const claim = JSON.parse(readFileSync(join(stateDir, 'market.json'), 'utf8')) as { pid: number; children: { pid: number }[] }
  if (name === 'market') return claim.pid
  const child = claim.children.find(({ pid }) => commandLine(pid).includes(PROGRAMS[name]))
  if (!child) throw new Error(`${name} does not run`)
  return child.pid
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

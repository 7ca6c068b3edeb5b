import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** How the command line of each process of a local market can be told from any other, whatever the checkout's folder is called. */
const PROGRAMS = { agent: 'apps/agent/src/main.ts', platform: 'apps/platform/src/main.ts', chain: '/bin/anvil' } as const
export type ProcessName = keyof typeof PROGRAMS

/** The process of the market with this state that runs now; throws while it does not run. */
export function pidOf(stateDir: string, name: ProcessName): number {
  const record = JSON.parse(readFileSync(join(stateDir, 'market.json'), 'utf8')) as { children: { pid: number }[] }
  const found = record.children.find(({ pid }) => commandLine(pid).includes(PROGRAMS[name]))
  if (!found) throw new Error(`${name} does not run`)
  return found.pid
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

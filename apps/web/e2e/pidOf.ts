import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunningMarket } from '@rackfair/testkit'

/** The process of a market whose command line names this room, or `market` for the one that keeps the others alive. */
export function pidOf({ stateDir }: RunningMarket, name: 'market' | 'anvil' | 'platform' | 'agent'): number {
  const claim = JSON.parse(readFileSync(join(stateDir, 'market.json'), 'utf8')) as { pid: number; children: { pid: number }[] }
  if (name === 'market') return claim.pid
  const mark = name === 'anvil' ? name : `apps/${name}/src/main.ts`
  const child = claim.children.find(({ pid }) => commandLine(pid).includes(mark))
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

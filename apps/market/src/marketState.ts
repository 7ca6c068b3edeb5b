import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { AUTHORITY } from './edge.ts'

/** Holds earlier markets of a state folder, each named by the time at which it was moved there. */
const KEPT = 'kept'
/** Kept by --reset: it belongs to the checkout, to the market that is starting, to earlier ones, or is trusted by browsers. */
const NOT_STATE = new Set(['toolchain', 'programs', 'web', 'images', 'market.json', AUTHORITY, KEPT])

/** Removes chain, contracts, databases and keys of the market in a state folder. */
export function forgetState(stateDir: string): void {
  for (const name of stateIn(stateDir)) rmSync(join(stateDir, name), { recursive: true, force: true })
}

/**
 * Puts the market of a state folder aside, whole, and answers the folder where it lies now. Moved back, it is the market it was.
 *
 * @example keepAside('.rackfair', new Date()) // '.rackfair/kept/2026-11-22T13-10-05'
 */
export function keepAside(stateDir: string, now: Date): string {
  const kept = join(stateDir, KEPT, now.toISOString().slice(0, 19).replaceAll(':', '-'))
  mkdirSync(kept, { recursive: true })
  for (const name of stateIn(stateDir)) renameSync(join(stateDir, name), join(kept, basename(name)))
  return kept
}

function stateIn(stateDir: string): string[] {
  return existsSync(stateDir) ? readdirSync(stateDir).filter((name) => !NOT_STATE.has(name)) : []
}

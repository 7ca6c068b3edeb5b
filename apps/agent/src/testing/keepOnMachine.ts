import { execFileSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MACHINE = join(homedir(), '.cache', 'rackfair', 'images')
/** The file name identifies what something is made of, this hash how. */
const MAKERS = ['../runtime/engine/buildImage.ts', 'cleanMachine.ts', 'ownImageBase.ts', 'packageMirror.ts'].reduce(
  (hash, file) => hash.update(readFileSync(fileURLToPath(new URL(file, import.meta.url)))),
  createHash('sha256'),
)
const HOW = MAKERS.digest('hex').slice(0, 8)
/** By then Debian has fixes, and what no checkout requests any more is deleted. */
const KEPT_MS = 30 * 86_400_000

/**
 * Makes a file or folder that does not exist yet; reuses one of the same name that a checkout on this machine made the same way in the last
 * 30 days.
 */
export async function keepOnMachine(path: string, make: () => Promise<unknown> | unknown, machine = MACHINE): Promise<void> {
  const kept = join(machine, `${HOW}-${basename(path)}`)
  if (!existsSync(path) && isYoung(kept)) share(kept, path)
  await make()
  if (existsSync(path) && isYoung(path) && !isYoung(kept)) share(path, kept)
}

/** Deletes entries that are too old to reuse, and leftovers of killed copies. */
export function forgetOld(machine = MACHINE): void {
  if (!existsSync(machine)) return
  for (const name of readdirSync(machine))
    if (!isYoung(join(machine, name))) rmSync(join(machine, name), { recursive: true, force: true })
}

/** A folder that another run deletes meanwhile counts as missing. */
function isYoung(path: string): boolean {
  const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: 0 }
  return Date.now() - mtimeMs < KEPT_MS
}

/** Neither is ever written to, so on one file system they are hard links. Atomic, even if others do the same. */
function share(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  const unfinished = `${to}.${randomUUID()}`
  try {
    try {
      execFileSync('cp', ['-al', from, unfinished], { stdio: 'ignore' })
    } catch {
      // Two file systems.
      rmSync(unfinished, { recursive: true, force: true })
      execFileSync('cp', ['-a', from, unfinished], { stdio: 'ignore' })
    }
    if (existsSync(to) && !isYoung(to)) rmSync(to, { recursive: true, force: true })
    renameSync(unfinished, to)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // A folder cannot replace another: another run was faster. On a full disk nothing is kept, and the run continues with what it has.
    if (!existsSync(to)) console.error(`${to} was not kept: ${error instanceof Error ? error.message : error}`)
  }
}

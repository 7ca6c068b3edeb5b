import { execFileSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MACHINE = join(homedir(), '.cache', 'rackfair', 'images')
/** A name says what something is made of, this how. */
const MAKERS = ['../runtime/engine/buildImage.ts', 'cleanMachine.ts', 'ownImageBase.ts', 'packageMirror.ts'].reduce(
  (hash, file) => hash.update(readFileSync(fileURLToPath(new URL(file, import.meta.url)))),
  createHash('sha256'),
)
const HOW = MAKERS.digest('hex').slice(0, 8)
/** Debian has mended something by then, and what no checkout asks for any more goes. */
const KEPT_MS = 30 * 86_400_000

/** Makes a file or a folder that is not there yet; one of the same name that a checkout of this machine made so in the last 30 days is taken instead. */
export async function keepOnMachine(path: string, make: () => Promise<unknown> | unknown, machine = MACHINE): Promise<void> {
  const kept = join(machine, `${HOW}-${basename(path)}`)
  if (!existsSync(path) && isYoung(kept)) share(kept, path)
  await make()
  if (existsSync(path) && isYoung(path) && !isYoung(kept)) share(path, kept)
}

/** Takes away what is too old to be taken, and what a copy that was killed has left. */
export function forgetOld(machine = MACHINE): void {
  if (!existsSync(machine)) return
  for (const name of readdirSync(machine))
    if (!isYoung(join(machine, name))) rmSync(join(machine, name), { recursive: true, force: true })
}

/** A folder that another run takes away meanwhile is as one that never was. */
function isYoung(path: string): boolean {
  const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: 0 }
  return Date.now() - mtimeMs < KEPT_MS
}

/** Nothing is ever written into either: the disk holds it once where both are on one. Whole or not at all, whoever else does the same. */
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
    // A folder cannot replace another one: another run was faster. A full disk keeps nothing, and the run goes on with what it has.
    if (!existsSync(to)) console.error(`${to} was not kept: ${error instanceof Error ? error.message : error}`)
  }
}

import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { mountsAt, unmountAt } from './engine/removeEngine.ts'

export interface HeldFolder {
  path: string
  /** Removes the folder, once what it was made for has ended. */
  release(): void
}

/**
 * Makes a folder in `parent` that this process holds until it ends, however it does. `name` is followed by six hex digits, `id` if given.
 * @throws where the folder cannot be made or locked.
 */
export function holdFolder(parent: string, name: string, id = randomBytes(3).toString('hex')): HeldFolder {
  const path = join(realpathSync(parent), `${name}${id}`)
  mkdirSync(path, { mode: 0o700 })
  const lock = openSync(path, 'r')
  // Whoever sweeps may be faster: a new folder is empty, and made again.
  if (!isFree(lock) || !statSync(path, { throwIfNoEntry: false })) {
    closeSync(lock)
    rmSync(path, { recursive: true, force: true })
    return holdFolder(parent, name)
  }
  return {
    path,
    release() {
      removeUnmounted(path)
      closeSync(lock)
    },
  }
}

/**
 * Removes those folders of `holdFolder` in `parent` whose process has ended without doing so. `remove` may take away more than the folder.
 * What is mounted in them is unmounted first and never emptied: where that fails, the folder stays.
 */
export async function sweepFolders(
  parent: string,
  names: readonly string[],
  remove: (path: string, id: string) => Promise<void> | void = removeUnmounted,
): Promise<void> {
  const root = realpathSync(parent)
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    const name = names.find((one) => entry.name.startsWith(one))
    const id = entry.name.slice(name?.length)
    if (name === undefined || !entry.isDirectory() || !/^[0-9A-Za-z]{6}$/.test(id)) continue
    const path = join(root, entry.name)
    // Another user's is not ours to remove, whatever its name.
    if (statSync(path, { throwIfNoEntry: false })?.uid !== process.getuid?.()) continue
    const lock = open(path)
    if (lock === undefined) continue
    try {
      if (isFree(lock)) await remove(path, id)
    } catch {
      // It stays for the next sweep.
    } finally {
      closeSync(lock)
    }
  }
}

function removeUnmounted(path: string): void {
  unmountAt(path)
  const [left] = mountsAt(path)
  if (left !== undefined) throw new Error(`${left} cannot be unmounted`)
  rmSync(path, { recursive: true, force: true })
}

/** Takes the lock of an open folder, which is held until its last descriptor is closed. */
function isFree(descriptor: number): boolean {
  const { status, error } = spawnSync('flock', ['--exclusive', '--nonblock', '3'], {
    stdio: ['ignore', 'ignore', 'ignore', descriptor],
  })
  if (error) throw error
  return status === 0
}

function open(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch {
    // Another sweep was faster.
    return undefined
  }
}

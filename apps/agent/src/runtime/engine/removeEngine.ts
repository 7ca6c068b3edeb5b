import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mountPoints } from './mountPoints.ts'
import { endProcView } from './procView.ts'

const MAX_WAIT_MS = 30_000

/**
 * Removes the folders of an engine that has ended: podman tidies up behind finished commands some seconds later and mounts its
 * storage again. Throws when something still holds them after 30 s.
 */
export async function removeEngine(data: string, run: string): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS
  await endProcView(run)
  const roots = `${run}-roots`
  for (;;) {
    for (const folder of [run, roots, data]) unmountAt(folder)
    try {
      // Removing would empty what is mounted there, which may be the machine's own.
      const [left] = [run, roots, data].flatMap(mountsAt)
      if (left !== undefined) throw new Error(`${left} cannot be unmounted`)
      // The data comes last: as long as it is there, the others are known.
      for (const folder of [run, roots, data]) rmSync(folder, { recursive: true, force: true })
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
}

/** Takes away what is mounted below a folder, whoever still holds it. */
export const unmountBelow = (folder: string): void =>
  mountsAt(folder)
    .filter((path) => path !== folder)
    .forEach(unmount)

/** As `unmountBelow`, and what is mounted on the folder itself. */
export const unmountAt = (folder: string): void => mountsAt(folder).forEach(unmount)

/** What is mounted on and below a folder, innermost first. */
export const mountsAt = (folder: string): string[] =>
  mountPoints()
    .filter((path) => path === folder || path.startsWith(`${folder}/`))
    .reverse()

const unmount = (path: string): void => void spawnSync('umount', ['-l', path])

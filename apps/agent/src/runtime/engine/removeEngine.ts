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
    for (const folder of [run, roots, data]) unmountBelow(folder)
    try {
      rmSync(data, { recursive: true, force: true })
      rmSync(run, { recursive: true, force: true })
      rmSync(roots, { recursive: true, force: true })
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
}

/** Takes away what is mounted below a folder, whoever still holds it. */
export function unmountBelow(folder: string): void {
  for (const path of mountsBelow(folder)) spawnSync('umount', ['-l', path])
}

/** Innermost first. */
const mountsBelow = (folder: string): string[] =>
  mountPoints()
    .filter((path) => path.startsWith(`${folder}/`))
    .reverse()

import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'

const PATIENCE_MS = 30_000

/** Removes what a test's engine left: podman tidies up behind finished commands some seconds later and mounts its storage again. */
export async function removeEngine(data: string, run: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    for (const path of mountsBelow(data)) spawnSync('umount', ['-l', path])
    try {
      rmSync(data, { recursive: true, force: true })
      rmSync(run, { recursive: true, force: true })
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
}

/** Innermost first. */
function mountsBelow(folder: string): string[] {
  const paths = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
  return paths.filter((path) => path.startsWith(`${folder}/`)).reverse()
}

import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'

const PATIENCE_MS = 30_000

/** Removes what a test's engine left: podman tidies up behind finished commands some seconds later and mounts its storage again. */
export async function removeEngine(data: string, run: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    spawnSync('umount', ['-l', join(data, 'engine', 'storage', 'overlay')])
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

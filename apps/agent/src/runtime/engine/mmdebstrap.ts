import { chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { type CommandResult, runCommand } from '../../foundation/runCommand.ts'
import { apart } from '../apart.ts'
import { holdFolder, sweepFolders } from '../heldFolder.ts'

const NAME = 'rackfair-build-'
const BUILD_MS = 15 * 60_000

/** Removes what killed builds left in the folder for temporary files. */
export const sweepBuilds = (): Promise<void> => sweepFolders(tmpdir(), [NAME])

/**
 * Runs mmdebstrap, which mounts folders of this machine into what it builds: apart, so that none of them outlives it. Ended after 15
 * minutes. Tenants go first: it has less of the processor than they.
 */
export async function mmdebstrap(
  args: readonly string[],
  options: Parameters<typeof runCommand>[2] = {},
): Promise<CommandResult> {
  await sweepBuilds()
  const folder = holdFolder(tmpdir(), NAME)
  // apt fetches as a user of its own.
  chmodSync(folder.path, 0o755)
  try {
    return await runCommand('nice', ['-n', '10', ...apart(['mmdebstrap', ...args])], {
      timeoutMs: BUILD_MS,
      ...options,
      env: { ...process.env, ...options.env, TMPDIR: folder.path },
    })
  } finally {
    folder.release()
  }
}

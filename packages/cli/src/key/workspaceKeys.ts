import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { exportWorkspaceKey, importWorkspaceKey, type WorkspaceKeyStore } from '@rackfair/sdk/workspace'

/** Keeps keys of orders between runs, each in a file that only its owner can read. They move no money and expire after seven days. */
export function createWorkspaceKeys(env: NodeJS.ProcessEnv): WorkspaceKeyStore {
  const folder = join(env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'rackfair', 'workspace')
  const fileOf = (name: string) => join(folder, `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.json`)
  return {
    async read(name) {
      try {
        return await importWorkspaceKey(readFileSync(fileOf(name), 'utf8'))
      } catch {
        return undefined
      }
    },
    async write(name, key) {
      const file = fileOf(name)
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        writeFileSync(`${file}.${process.pid}`, await exportWorkspaceKey(key), { mode: 0o600 })
        renameSync(`${file}.${process.pid}`, file)
      } catch {
        // Without a writable folder, a new key is signed each time.
      }
    },
  }
}

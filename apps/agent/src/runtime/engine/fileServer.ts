import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { runCommand } from '../../foundation/runCommand.ts'
import { TOOLS_PATH } from '../agentsFile.ts'

/** Debian's, of the package openssh-sftp-server. */
const PROGRAM = '/usr/lib/openssh/sftp-server'
const LOADER = 'ld.so'

/** Started by its own loader with its own libraries, it runs in an image that has neither. */
export const FILE_SERVER = [
  ...[`${TOOLS_PATH}/${LOADER}`, '--library-path', TOOLS_PATH],
  `${TOOLS_PATH}/${basename(PROGRAM)}`,
] as const

/** Puts the file server with all it needs into a folder that containers may see; undefined where this machine has none. */
export async function prepareFileServer(folder: string): Promise<string | undefined> {
  if (!existsSync(PROGRAM)) return undefined
  const { code, stdout } = await runCommand('ldd', [PROGRAM])
  if (code !== 0) return undefined
  const libraries = [...stdout.matchAll(/(\/\S+) \(0x[0-9a-f]+\)$/gm)].map(([, path = '']) => path)
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  for (const source of [PROGRAM, ...libraries]) {
    const name = basename(source).startsWith('ld-linux') ? LOADER : basename(source)
    // Running containers may be reading the one that is there.
    const next = join(folder, `${name}.${process.pid}`)
    rmSync(next, { force: true })
    copyFileSync(source, next)
    chmodSync(next, 0o755)
    renameSync(next, join(folder, name))
  }
  return folder
}

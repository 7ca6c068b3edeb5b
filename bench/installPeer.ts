import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Installs what only one benchmark needs, once, in a folder of its own: nobody else has to fetch it.
 *
 * @param from the folder with its `package.json`, and whatever else it consists of, relative to `bench`
 * @returns the folder, and why its packages could not be installed
 * @example const { home, missing } = installPeer('platform/ponder')
 */
export function installPeer(from: string): { home: string; missing: string | undefined } {
  const source = fileURLToPath(new URL(`${from}/`, import.meta.url))
  const home = fileURLToPath(new URL(`../.rackfair/bench/${from}/`, import.meta.url))
  const [manifest, installed] = [join(home, 'package.json'), join(home, 'node_modules', 'installed.json')]
  mkdirSync(home, { recursive: true })
  cpSync(source, home, { recursive: true })
  const isInstalled = existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(manifest, 'utf8')
  if (isInstalled) return { home, missing: undefined }
  console.log(`installing ${from}, about a minute`)
  const { status, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: home,
    encoding: 'utf8',
  })
  if (status === 0) {
    copyFileSync(manifest, installed)
    return { home, missing: undefined }
  }
  const problems = (stderr ?? '').split('\n').filter((line) => line.startsWith('npm error'))
  return { home, missing: problems.slice(0, 3).join(' ') || 'npm cannot be started' }
}

import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** The package that providers run with npx: in its own folders, without a network, with nothing of the checkout available. */
describe('the npm package of the agent', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-npm-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const env = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: folder,
    npm_config_cache: join(folder, 'cache'),
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  }
  let file = ''
  const npx = (...args: string[]) =>
    execFileSync('npx', ['--yes', '--package', file, 'rackfair-agent', ...args], { cwd: folder, env, encoding: 'utf8' })

  beforeAll(() => {
    const to = join(folder, 'packed')
    const packed = execFileSync(process.execPath, ['scripts/packAgent.ts', '--npm', '--to', to, '--version', '1.2.3'], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    file = packed.trim().split('\n').at(-1) ?? ''
  })

  it('runs from one file without dependencies', () => {
    expect(file).toBe(join(folder, 'packed/rackfair-agent-1.2.3.tgz'))
    expect(npx('--version').trim()).toBe('1.2.3')
    const help = npx('--help')
    for (const command of ['init', 'doctor', 'start', 'service']) expect(help).toContain(`  ${command}`)
  })

  it('contains its catalogue and the licences of its contents', () => {
    execFileSync('npm', ['install', '--global', '--prefix', join(folder, 'global'), file], { env, stdio: 'pipe' })
    const home = join(folder, 'global/lib/node_modules/@rackfair/agent')
    for (const part of [
      'LICENSE',
      'NOTICE',
      'dist/licenses.txt',
      'dist/resources/presets/catalog.json',
      'dist/resources/browser',
    ])
      expect(existsSync(join(home, part)), part).toBe(true)
    expect(existsSync(join(home, 'node_modules'))).toBe(false)
    const said = execFileSync(join(folder, 'global/bin/rackfair-agent'), ['init', '--help'], { env, encoding: 'utf8' })
    expect(said).toContain('--config')
  })
})

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const ROOMS = ['packages/core', 'packages/sealed', 'packages/sdk'].map((room) => join(ROOT, room))

/**
 * Packs what users install, and installs it with npm into an empty folder, offline: packages from registries are linked to where they are
 * already installed. Returns the folder.
 */
export function installPacked(folder: string, extra: readonly string[] = []): string {
  const packs = join(folder, 'packs')
  const project = join(folder, 'project')
  mkdirSync(packs, { recursive: true })
  mkdirSync(project)
  const own = run(process.execPath, [join(ROOT, 'scripts/pack.ts'), '--to', packs], ROOT)
    .trim()
    .split('\n')
  const files = [...own.map((file) => [nameIn(file), file]), ...othersOf(extra)]
  const dependencies = Object.fromEntries(files.map(([name, file]) => [name, `file:${file}`]))
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module', dependencies }))
  const flags = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock', '--legacy-peer-deps']
  run('npm', ['install', ...flags, '--cache', join(folder, 'npm')], project)
  return project
}

/** The packages' own dependencies, each by its folder; their dependencies in turn are found next to them. */
function othersOf(extra: readonly string[]): Map<string, string> {
  const from = [
    ...ROOMS.map((room) => ({ room, names: Object.keys(manifestOf(room).dependencies ?? {}) })),
    { room: ROOT, names: extra },
  ]
  const named = from.flatMap(({ room, names }) => names.map((name) => [name, folderOf(name, room)] as const))
  return new Map(named.filter(([name]) => !name.startsWith('@rackfair/')))
}

/** Resolves a package like Node does, from the real location of another one. */
function folderOf(name: string, from: string): string {
  for (let at = from; at !== dirname(at); at = dirname(at)) {
    try {
      return realpathSync(join(at, 'node_modules', name))
    } catch {
      // Try the parent folder.
    }
  }
  throw new Error(`${name} is not installed`)
}

const nameIn = (file: string): string => basename(file).replace(/^rackfair-(.*)-\d+\.\d+\.\d+\.tgz$/, '@rackfair/$1')

const manifestOf = (folder: string): { name: string; version: string; dependencies?: Record<string, string> } =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
  return stdout
}

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** What the bundle is made of, relative to the checkout. */
const INPUTS = [
  'apps/web/index.html',
  'apps/web/public',
  'apps/web/src',
  'apps/web/vite',
  'apps/web/vite.config.ts',
  'apps/docs/build.ts',
  'apps/docs/src',
  'apps/docs/snippets',
  'presets/catalog.json',
  'packages/core/src',
  'packages/sdk/src',
  'contracts/ts',
  'docs',
  'pnpm-lock.yaml',
]
/** Another market may still serve an older build: one is forgotten only when nobody started with it for this long. */
const KEPT_MS = 7 * 86_400_000

/** Builds the web app with the guides below /docs unless these very sources were built before. Returns the folder to serve. */
export async function buildWeb(root: string, onStart: () => void): Promise<string> {
  const builds = join(root, '.rackfair', 'web')
  const folder = join(builds, hashOf(root))
  if (existsSync(join(folder, 'index.html'))) {
    utimesSync(folder, new Date(), new Date())
    return folder
  }
  onStart()
  mkdirSync(builds, { recursive: true })
  // A process id would not do: a test in a namespace may have the same one.
  const unfinished = mkdtempSync(`${folder}.`)
  await viteBuild(join(root, 'apps', 'web'), unfinished)
  await run(root, [join(root, 'apps', 'docs', 'build.ts'), '--out', join(unfinished, 'docs')], 'The guides')
  putInPlace(unfinished, folder)
  forgetOldBuilds(builds)
  return folder
}

/** Another market may have finished the same build in the meantime; either is as good. */
export function putInPlace(unfinished: string, folder: string): void {
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    rmSync(unfinished, { recursive: true })
  }
}

function viteBuild(webDir: string, outDir: string): Promise<void> {
  const vite = join(dirname(createRequire(join(webDir, 'package.json')).resolve('vite/package.json')), 'bin', 'vite.js')
  return run(webDir, [vite, 'build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn'], 'The web app')
}

function run(cwd: string, args: string[], what: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // A caller's own mode, such as a test's, must not make it a build for development.
    const env = { ...process.env, NODE_ENV: 'production' }
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', reject)
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${what} could not be built; the lines above say why.`)),
    )
  })
}

function hashOf(root: string): string {
  const hash = createHash('sha256')
  for (const input of INPUTS)
    for (const file of filesOf(join(root, input))) hash.update(file.slice(root.length)).update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

function filesOf(path: string): string[] {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesOf(join(path, name)))
}

function forgetOldBuilds(builds: string): void {
  for (const name of readdirSync(builds)) {
    const build = join(builds, name)
    if (Date.now() - statSync(build).mtimeMs > KEPT_MS) rmSync(build, { recursive: true, force: true })
  }
}

if (import.meta.main) await buildWeb(join(import.meta.dirname, '../../..'), () => console.log('Building the web app ...'))

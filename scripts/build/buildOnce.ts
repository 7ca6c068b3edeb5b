import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'

/** A build that is cached by its sources in `.rackfair/NAME/`. */
export interface Build {
  name: string
  /** Files and folders it depends on, relative to the checkout. */
  inputs: readonly string[]
  /** A file of the build that exists once the build is complete. */
  entry: string
  make(folder: string): Promise<void>
}

/** Another market may still run an older build: one is deleted only if nothing has started it for this long. */
const KEPT_MS = 7 * 86_400_000

/** Builds unless these exact sources were built before. Returns the folder of the build. */
export async function buildOnce(root: string, { name, inputs, entry, make }: Build, onStart: () => void): Promise<string> {
  const builds = join(root, '.rackfair', name)
  const folder = join(builds, hashOf(root, inputs))
  if (existsSync(join(folder, entry))) {
    utimesSync(folder, new Date(), new Date())
    return folder
  }
  onStart()
  mkdirSync(builds, { recursive: true })
  // Not by process id: a test in a namespace may have the same one.
  const unfinished = mkdtempSync(`${folder}.`)
  await make(unfinished)
  // Tests also run it as the user nobody.
  chmodSync(unfinished, 0o755)
  putInPlace(unfinished, folder)
  forgetOldBuilds(builds)
  return folder
}

/** Another market may have finished the same build meanwhile; either will do. */
export function putInPlace(unfinished: string, folder: string): void {
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    rmSync(unfinished, { recursive: true })
  }
}

function hashOf(root: string, inputs: readonly string[]): string {
  const hash = createHash('sha256')
  for (const input of inputs)
    for (const file of filesOf(join(root, input))) hash.update(file.slice(root.length)).update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

function filesOf(path: string): string[] {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return readdirSync(path)
    .filter((name) => name !== 'node_modules')
    .sort()
    .flatMap((name) => filesOf(join(path, name)))
}

function forgetOldBuilds(builds: string): void {
  for (const name of readdirSync(builds)) {
    const build = join(builds, name)
    if (Date.now() - statSync(build).mtimeMs > KEPT_MS) rmSync(build, { recursive: true, force: true })
  }
}

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { AppError } from '@rackfair/rules/errors/AppError'
import { holdFolder, sweepFolders } from '../heldFolder.ts'
import type { ImageRecipe, LocalImage } from './imageRecipe.ts'
import { mmdebstrap } from './mmdebstrap.ts'

/** Of each image, as its environment has it. */
export const PATH = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
/** When every image says that it was built, in seconds: the time itself would make each another one. */
export const BUILT_AT = 1_767_225_600
const LEAVE_OUT = ['/usr/share/doc/*', '/usr/share/man/*', '/usr/share/locale/*', '/usr/share/info/*', '/usr/share/lintian/*']
const COMMON = ['--aptopt=Acquire::Retries "3"', ...LEAVE_OUT.map((path) => `--dpkgopt=path-exclude=${path}`)]
/** Without this hook Debian installs perl, a third of a small image, just to merge folders that are already merged. */
const MERGED = '/usr/share/mmdebstrap/hooks/merged-usr'

/** A content key: the same recipe and files have the same key. */
export function recipeKey(recipe: ImageRecipe, root: string): string {
  const hash = createHash('sha256').update(JSON.stringify(recipe))
  for (const path of filesBelow(root))
    hash.update(`\0${path}\0${statSync(join(root, path)).mode}\0`).update(readFileSync(join(root, path)))
  return hash.digest('hex').slice(0, 16)
}

/** Where the root filesystem of a recipe lies in `folder` once it was made. */
export const rootfsFile = ({ recipe, root }: LocalImage, folder: string): string =>
  join(folder, `${recipe.name.split('/').pop()}-${recipeKey(recipe, root)}.tar`)

export interface BuildOptions {
  onProgress: (line: string) => void
  signal?: AbortSignal | undefined
  /** Gives a Debian of `makeBase` of the recipe's suite to begin with; called only when something has to be built. */
  base?: () => Promise<string>
}

/** The root filesystem of a recipe as a tar file in `folder`: that of an earlier build, or made now. */
export async function rootfsTar(local: LocalImage, folder: string, options: BuildOptions): Promise<string> {
  const tar = rootfsFile(local, folder)
  if (!existsSync(tar)) await buildRootfs(local.recipe, local.root, tar, options)
  return tar
}

const UNFINISHED = 'unfinished-'

/** Makes the root filesystem of a recipe as a tar file, from the Debian mirror that this machine's apt uses. */
async function buildRootfs(
  recipe: ImageRecipe,
  root: string,
  tar: string,
  { onProgress, signal, base }: BuildOptions,
): Promise<void> {
  const folder = dirname(tar)
  mkdirSync(folder, { recursive: true })
  await sweepFolders(folder, [UNFINISHED])
  const [uid] = recipe.user.split(':')
  const account = [
    'mkdir -p "$1/srv/www" "$1/home/renter"',
    Number(uid) >= 1000
      ? `echo renter:x:${uid}:${uid}::/home/renter:/bin/bash >> "$1/etc/passwd"; echo renter:x:${uid}: >> "$1/etc/group"`
      : ':',
    ...recipe.remove.map((path) => `rm -rf "$1"${path}`),
    'find "$1" -xdev -perm /6000 -type f -exec chmod a-s {} +',
  ].join('; ')
  const start = base ? onBase(await base()) : fromNothing()
  const held = holdFolder(folder, UNFINISHED)
  const unfinished = join(held.path, basename(tar))
  const args = [
    ...start,
    ...['--variant=essential', `--include=${recipe.packages.join(',')}`, ...COMMON],
    ...(existsSync(root) ? [`--customize-hook=sync-in ${root} /`] : []),
    `--customize-hook=${account}`,
    ...[recipe.suite, unfinished, debianMirror()],
  ]
  onProgress(`building ${recipe.name} from Debian packages: ${recipe.packages.join(' ')}`)
  try {
    const { code, stderr } = await mmdebstrap(args, {
      ...(signal ? { signal } : {}),
      env: { SOURCE_DATE_EPOCH: String(BUILT_AT) },
      onLine: (line) => /^[IWE]: /.test(line) && onProgress(line.replace(/^I: /, '')),
    })
    if (code === 0) return renameSync(unfinished, tar)
    if (signal?.aborted) throw new AppError('agent_busy', 'the agent is stopping', { retryable: true })
    const cause = `mmdebstrap ended with ${code}: ${stderr.trim().split('\n').slice(-3).join(' ')}`
    throw new AppError('image_missing', `the image ${recipe.name} cannot be built on this machine`, { cause, retryable: true })
  } finally {
    held.release()
  }
}

/**
 * Makes what every image of a suite begins with, and the lists of its packages, as the tar file `tar`: several images that are built one
 * after the other need not fetch and configure the same packages again. The lists age, so it is for one run only.
 */
export async function makeBase(suite: string, tar: string): Promise<void> {
  const args = [...fromNothing(), '--variant=essential', '--skip=cleanup/apt/lists', ...COMMON, suite, tar, debianMirror()]
  const { code, stderr } = await mmdebstrap(args)
  if (code !== 0)
    throw new AppError('image_missing', 'the base of the images cannot be built', {
      cause: `mmdebstrap ended with ${code}: ${stderr.trim().slice(-300)}`,
    })
}

const fromNothing = (): string[] => (existsSync(MERGED) ? [`--hook-dir=${MERGED}`] : [])

/** The options by which mmdebstrap begins with a base instead of nothing: of its variant it adds what is not yet installed there. */
export function onBase(base: string): string[] {
  return ['--skip=update', `--setup-hook=tar -C "$1" --numeric-owner -xf '${base}'`]
}

/** The image's configuration, in the format of `podman import --change`. */
export function imageChanges(recipe: ImageRecipe): string[] {
  return [
    `ENV ${PATH}`,
    `USER ${recipe.user}`,
    ...(recipe.entrypoint.length > 0 ? [`ENTRYPOINT ${JSON.stringify(recipe.entrypoint)}`] : []),
    `CMD ${JSON.stringify(recipe.command)}`,
    ...(recipe.port > 0 ? [`EXPOSE ${recipe.port}`] : []),
  ]
}

/** The first Debian archive in this machine's apt sources. */
export function debianMirror(): string {
  const folder = '/etc/apt/sources.list.d'
  const files = ['/etc/apt/sources.list', ...(existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [])]
  for (const file of files) {
    if (!existsSync(file) || !/\.(list|sources)$/.test(file)) continue
    const match = /^(?:URIs:|deb(?:\s+\[[^\]]*\])?)\s+(https?:\/\/\S*\/debian)\/?(?:\s|$)/m.exec(readFileSync(file, 'utf8'))
    if (match?.[1]) return match[1]
  }
  return 'http://deb.debian.org/debian'
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

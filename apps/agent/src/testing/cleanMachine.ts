import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { missingPackages, SYSTEM_PACKAGES } from '../../../../scripts/systemPackages.mjs'
import { debianMirror, onBase } from '../runtime/engine/buildImage.ts'
import { runCommand } from '../runtime/runCommand.ts'
import { IMAGE_CACHE } from './setupAgent.ts'

/** What the guide for providers asks for before its first command. */
const NEEDED = ['ca-certificates', 'git', 'nodejs', 'npm']
/** What the commands of the guide install by themselves: kept as packages, because nothing outside is reached in a test. */
const LATER = [...SYSTEM_PACKAGES.provider, 'openssh-sftp-server']

const INDEX = `cd "$1/var/packages"; for deb in *.deb; do dpkg-deb -f $deb; echo "Filename: ./$deb"
echo "Size: $(stat -c %s $deb)"; echo "SHA256: $(sha256sum $deb | cut -d ' ' -f 1)"; echo; done > Packages`
/** Keeps packages in a folder of the Debian that is made, and makes that folder the only place that its apt knows. */
const keepPackages = (names: readonly string[]): string[] => [
  `chroot "$1" apt-get install -y --download-only --no-install-recommends ${names.join(' ')}`,
  'mkdir -p "$1/var/packages" && mv "$1"/var/cache/apt/archives/*.deb "$1/var/packages/"',
  INDEX,
  'echo "deb [trusted=yes] file:/var/packages ./" > "$1/etc/apt/sources.list"',
  'rm -rf "$1"/var/lib/apt/lists/* "$1"/etc/apt/sources.list.d/*',
]
const LEFT_OUT = ['doc', 'man', 'locale'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`)
/** What every Debian installation has, and what is named. */
const debianWith = (installed: readonly string[], kept: readonly string[]): string[] => [
  '--variant=minbase',
  ...(installed.length > 0 ? [`--include=${installed.join(',')}`] : []),
  ...LEFT_OUT,
  ...keepPackages(kept).map((line) => `--customize-hook=${line}`),
]
const tarOf = (name: string, args: readonly string[]) =>
  join(IMAGE_CACHE, `${name}-${createHash('sha256').update(args.join()).digest('hex').slice(0, 16)}.tar`)
const ARGUMENTS = debianWith(NEEDED, LATER)
const TAR = tarOf('clean-machine', ARGUMENTS)
/** What the container recipes for operators install. */
const RECIPES = debianWith([], ['postgresql-15', 'nginx-light'])
/** The Debian that those recipes begin with, as its registry has it but for the place that packages come from. */
export const RECIPES_TAR = tarOf('debian-for-recipes', RECIPES)

/** Makes the Debian 12 of a clean machine as a tar file, once: the packages come from the network. */
export async function makeCleanMachine(base: () => Promise<string>): Promise<void> {
  await makeDebian(TAR, ARGUMENTS, base)
}

/** Makes `RECIPES_TAR`, once. */
export async function makeRecipesDebian(base: () => Promise<string>): Promise<void> {
  await makeDebian(RECIPES_TAR, RECIPES, base)
}

async function makeDebian(tar: string, madeOf: readonly string[], base: () => Promise<string>): Promise<void> {
  if (existsSync(tar)) return
  console.log(`building a clean Debian for the guides: ${basename(tar)}`)
  mkdirSync(IMAGE_CACHE, { recursive: true })
  const unfinished = `${tar}.part-${process.pid}.tar`
  const args = [...onBase(await base()), ...madeOf, 'bookworm', unfinished, debianMirror()]
  const { code, stderr } = await runCommand('nice', ['-n', '10', 'mmdebstrap', ...args], { timeoutMs: 15 * 60_000 })
  if (code !== 0) {
    rmSync(unfinished, { force: true })
    throw new Error(stderr.trim().split('\n').slice(-3).join(' '))
  }
  renameSync(unfinished, tar)
}

/** Why no clean machine can be started here; undefined where one can. */
export function whyNoCleanMachine(): string | undefined {
  if (missingPackages('provider') === undefined) return 'not Debian'
  return existsSync(TAR) ? undefined : 'no clean Debian: the packages could not be fetched when the images were made'
}

const PIVOT = `
set -e
root=$1; shift
mount --bind "$root" "$root"
for folder in proc sys dev; do mount --rbind /$folder "$root/$folder"; done
mount -t tmpfs tmpfs "$root/run"
mkdir -p "$root/run/containers" "$root/run/netns" "$root/run/lock"
for shared; do mkdir -p "$root$shared"; mount --rbind "$shared" "$root$shared"; done
cd "$root"
pivot_root . mnt
umount -l mnt
echo there
exec chroot . sleep infinity
`

export interface CleanMachine {
  /** Its files, as seen from here; what is mounted in it is not. */
  root: string
  /** `command` as it is run on that machine. */
  on: (command: readonly string[]) => string[]
  stop: () => Promise<void>
}

/**
 * A machine with nothing on it but Debian, git, Node and npm: its own files, mounts and /run, the network of who calls. Folders that are
 * `shared` are at the same place in it.
 */
export async function startCleanMachine(folder: string, shared: readonly string[]): Promise<CleanMachine> {
  const root = join(folder, 'clean')
  mkdirSync(root)
  const unpacked = spawnSync('tar', ['-xf', TAR, '-C', root, '--numeric-owner'], { encoding: 'utf8' })
  if (unpacked.status !== 0) throw new Error(unpacked.stderr)
  const unshare = ['--mount', '--propagation', 'private', 'sh', '-c', PIVOT, 'machine', root, ...shared]
  const holder: ChildProcess = spawn('unshare', unshare, { stdio: ['ignore', 'pipe', 'pipe'] })
  await new Promise<void>((resolve, reject) => {
    let said = ''
    holder.stderr?.on('data', (chunk: Buffer) => {
      said += chunk
    })
    holder.stdout?.once('data', () => resolve())
    holder.once('exit', () => reject(new Error(`the clean machine did not start: ${said}`)))
  })
  return {
    root,
    on: (command) => ['nsenter', '--target', String(holder.pid), '--mount', '--root', '--wd', ...command],
    async stop() {
      const ended = new Promise((resolve) => holder.once('exit', resolve))
      holder.kill('SIGKILL')
      await ended
    },
  }
}

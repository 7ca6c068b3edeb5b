import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { missingPackages, SYSTEM_PACKAGES } from '../../../../scripts/systemPackages.mjs'
import { debianMirror, onBase } from '../runtime/engine/buildImage.ts'
import { mmdebstrap } from '../runtime/engine/mmdebstrap.ts'
import { IMAGE_CACHE } from './setupAgent.ts'

/** Prerequisites of the guide for providers. */
const NEEDED = ['systemd-sysv', 'ca-certificates', 'git', 'nodejs', 'npm']
/** What the guide's commands install themselves: kept as packages, because tests have no network access. */
const LATER = [...SYSTEM_PACKAGES.provider, 'openssh-sftp-server']

const INDEX = `cd "$1/var/packages"; for deb in *.deb; do dpkg-deb -f $deb; echo "Filename: ./$deb"
echo "Size: $(stat -c %s $deb)"; echo "SHA256: $(sha256sum $deb | cut -d ' ' -f 1)"; echo; done > Packages`
/** Stores packages in a folder of the new Debian, and makes that folder its only apt source. */
const keepPackages = (names: readonly string[]): string[] => [
  `chroot "$1" apt-get install -y --download-only --no-install-recommends ${names.join(' ')}`,
  'mkdir -p "$1/var/packages" && mv "$1"/var/cache/apt/archives/*.deb "$1/var/packages/"',
  INDEX,
  'echo "deb [trusted=yes] file:/var/packages ./" > "$1/etc/apt/sources.list"',
  'rm -rf "$1"/var/lib/apt/lists/* "$1"/etc/apt/sources.list.d/*',
]
const LEFT_OUT = ['doc', 'man', 'locale'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`)
/** The packages of every Debian installation, plus those named. */
const debianWith = (installed: readonly string[], kept: readonly string[]): string[] => [
  '--variant=minbase',
  ...(installed.length > 0 ? [`--include=${installed.join(',')}`] : []),
  ...LEFT_OUT,
  ...keepPackages(kept).map((line) => `--customize-hook=${line}`),
]
const tarOf = (name: string, args: readonly string[]) =>
  join(IMAGE_CACHE, `${name}-${createHash('sha256').update(args.join()).digest('hex').slice(0, 16)}.tar`)
const ARGUMENTS = debianWith(NEEDED, LATER)
/** The Debian 12 of a clean machine. */
export const CLEAN_MACHINE = tarOf('clean-machine', ARGUMENTS)
/** Packages that the container recipes install. */
const RECIPES = debianWith([], ['postgresql-15', 'nginx-light', ...LATER])
/** The base image of those recipes, as in its registry except for the package source. */
export const RECIPES_TAR = tarOf('debian-for-recipes', RECIPES)

/** Builds `CLEAN_MACHINE` once: the packages come from the network. */
export async function makeCleanMachine(base: () => Promise<string>): Promise<void> {
  await makeDebian(CLEAN_MACHINE, ARGUMENTS, base)
}

/** Builds `RECIPES_TAR` once. */
export async function makeRecipesDebian(base: () => Promise<string>): Promise<void> {
  await makeDebian(RECIPES_TAR, RECIPES, base)
}

async function makeDebian(tar: string, madeOf: readonly string[], base: () => Promise<string>): Promise<void> {
  if (existsSync(tar)) return
  console.log(`building a clean Debian for the guides: ${basename(tar)}`)
  mkdirSync(IMAGE_CACHE, { recursive: true })
  const unfinished = `${tar}.part-${process.pid}.tar`
  const args = [...onBase(await base()), ...madeOf, 'bookworm', unfinished, debianMirror()]
  const { code, stderr } = await mmdebstrap(args)
  if (code !== 0) {
    rmSync(unfinished, { force: true })
    throw new Error(stderr.trim().split('\n').slice(-3).join(' '))
  }
  renameSync(unfinished, tar)
}

/** Why no clean machine can be started here, else undefined. */
export function whyNoCleanMachine(): string | undefined {
  if (missingPackages('provider') === undefined) return 'not Debian'
  return existsSync(CLEAN_MACHINE) ? undefined : 'no clean Debian: the packages could not be fetched when the images were made'
}

import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isReservedPath } from '@rackfair/app-spec/parseAppSpec'
import { AppError } from '@rackfair/rules/errors/AppError'
import { visibleText } from '@rackfair/rules/text/visibleText'
import { diskFull, saysDiskFull } from '../../foundation/diskFull.ts'
import { runCommand } from '../../foundation/runCommand.ts'
import { fileMode, type OwnFile } from '../RunSpec.ts'
import { mountPoints } from './mountPoints.ts'
import { shiftOwners } from './shiftOwners.ts'
import { IDS_PER_ORDER } from './userIds.ts'
import { outsideOf, resolveInside } from './volumePath.ts'

/**
 * Binds the folder `$from` to `$to` with other user ids, what is 0 there is `$base` here, and runs a command there before it takes that away again.
 * The system calls have no program in Debian; perl is on each.
 */
const WITH_IDMAPPED_BIND = `
my ($from, $to, $base, $size, $unshare, @command) = @ARGV;
my $empty = "";
pipe(my $ready, my $tell); pipe(my $hold, my $end);
my $child = fork();
if (!$child) {
  close $end;
  syscall($unshare + 0, 0x10000000) == 0 or exit 1;
  syswrite $tell, "x";
  sysread $hold, my $nothing, 1;
  exit 0;
}
close $tell; close $hold;
sysread($ready, my $got, 1) or die "unshare";
for my $kind ("uid_map", "gid_map") {
  open(my $map, ">", "/proc/$child/$kind") or die "$kind: $!";
  syswrite($map, "0 $base $size\\n") or die "$kind: $!";
}
open(my $namespace, "<", "/proc/$child/ns/user") or die "ns: $!";
my $tree = syscall(428, -100, $from, 0x80001);
$tree >= 0 or die "open_tree: $!";
my $attributes = pack("Q4", 0x100000, 0, 0, fileno($namespace));
syscall(442, $tree, $empty, 0x1000, $attributes, 32) == 0 or die "mount_setattr: $!";
syscall(429, $tree, $empty, -100, $to, 4) == 0 or die "move_mount: $!";
close $end;
waitpid $child, 0;
chdir $to or die "chdir: $!";
my $failed = system @command;
chdir "/";
system "umount", "-l", $to;
exit($failed ? 1 : 0);
`
const UNSHARE = process.arch === 'arm64' ? 97 : 272

/** On the order's disk: what an own application wrote to its root, and its volumes. */
export const OWN_FOLDER = '.own'

const VOLUMES = 'volumes'
/** What an application has beside its volumes; of several services, each below its name. */
const WRITTEN = ['upper', 'work'] as const
/** Beside these: the files that it was given. */
const FILES = 'files'
const SERVICES = 'services'

/**
 * An order's disk has room for the roots of two deployments beside each other: of the one that runs, and of the one that takes its place.
 * Volumes are of both.
 */
export const SIDES = ['a', 'b'] as const
export type Side = (typeof SIDES)[number]
export const otherSide = (side: Side): Side => (side === 'a' ? 'b' : 'a')

/** Of Linux, with the end of the text. */
const MAX_PATH_BYTES = 4096

export interface OwnRootPlan {
  /** The order's folder, in which its disk is mounted at `mnt`. */
  home: string
  /** Where the root is put together: every folder above must be open to the order's user ids. */
  root: string
  /** Of one of several: what each writes to its root stays apart. */
  service?: string | undefined
  side?: Side
  layers: readonly string[]
  firstUserId: number
  /** Names of their folders, and their paths inside; an outer one stands before those in it. */
  volumes: readonly { name: string; path: string }[]
  files: readonly OwnFile[]
  user: string
  workingDir: string
}

export interface OwnRoot {
  /** The root outside. */
  path: string
  /** The folder of each volume outside, by its path inside without links. */
  volumes: Map<string, string>
  /** Each file outside, by its path inside without links. */
  files: Map<string, string>
}

/**
 * Makes the root of an own application: the layers of its image, read-only and with the order's user ids, and over them a folder of the
 * order's disk that takes what is written. So it fills nothing but what was bought, and root inside is nobody outside.
 */
export async function mountOwnRoot(plan: OwnRootPlan): Promise<OwnRoot> {
  const { home, root, layers, firstUserId, service, side = 'a' } = plan
  const own = join(home, 'mnt', OWN_FOLDER)
  const low = join(home, 'low')
  const place = `${side === 'a' ? '' : `/${side}`}${service === undefined ? '' : `/${SERVICES}/${service}`}`
  const [upper, work] = WRITTEN.map((name) => join(own, place, name)) as [string, string]
  const volumes = join(own, VOLUMES)
  if (!mountPoints().includes(root)) {
    for (const folder of [root, low, upper, work, volumes]) mkdirSync(folder, { recursive: true, mode: 0o755 })
    chmodSync(own, 0o711)
    chownSync(upper, firstUserId, firstUserId)
    const store = dirname(layers[0] ?? '')
    // All of them together must fit a page; those of the disk begin where the layers are bound.
    const lower = layers.map((layer) => basename(layer))
    const above = `../mnt/${OWN_FOLDER}${place}`
    const options = `lowerdir=${lower.join(':')},upperdir=${above}/upper,workdir=${above}/work,nodev,nosuid`
    const mount = ['mount', '-t', 'overlay', 'overlay', '-o', options, root]
    const ids = [firstUserId, IDS_PER_ORDER, UNSHARE].map(String)
    await run('perl', ['-e', WITH_IDMAPPED_BIND, store, low, ...ids, ...mount])
  }
  for (const path of ['/etc', '/proc', '/sys', '/dev', '/run', '/var']) makeFolder(root, path, firstUserId, 0o755)
  makeFolder(root, '/tmp', firstUserId, 0o1777)
  // An image of one program has no list of users; the server of its files asks who it is.
  makeFile(root, '/etc/passwd', 'root:x:0:0:root:/:/bin/sh\n', firstUserId)
  const ids = userIdsOf(root, plan.user)
  if (plan.workingDir !== '')
    await naming('the working directory cannot be made in this image: name another, or a shorter one', () =>
      makeFolder(root, plan.workingDir, firstUserId + ids.uid, 0o755),
    )
  const folders = new Map<string, string>()
  for (const { name, path: wanted } of plan.volumes) {
    await naming(`the volume ${wanted.slice(0, 100)} cannot be put there in this image: choose another path for it`, async () => {
      const path = resolveInside(root, folders, wanted)
      if (path === undefined || isReservedPath(path))
        throw new AppError(
          'start_failed',
          `the volume ${wanted} would be at ${path ?? 'no path'} in this image, where none may be`,
        )
      const folder = join(volumes, name)
      if (existsSync(folder)) await shiftOwners(folder, firstUserId)
      else await makeVolume(root, path, folder, { uid: firstUserId + ids.uid, gid: firstUserId + ids.gid })
      const [outer, rest] = outsideOf(root, folders, path)
      makeFolder(outer, rest, firstUserId, 0o755)
      folders.set(path, folder)
    })
  }
  const files = await placeFiles(plan, join(own, place, FILES), folders)
  return { path: root, volumes: folders, files }
}

/** Writes the files that an application was given to the order's disk, and makes what they are mounted on where the image has nothing. */
async function placeFiles(
  { root, firstUserId, files }: OwnRootPlan,
  folder: string,
  volumes: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  rmSync(folder, { recursive: true, force: true })
  if (files.length > 0) mkdirSync(folder, { recursive: true, mode: 0o755 })
  const placed = new Map<string, string>()
  for (const [index, one] of files.entries())
    await naming(`the file ${one.path.slice(0, 100)} cannot be put there in this image: choose another path for it`, () => {
      const path = resolveInside(root, volumes, one.path)
      if (path === undefined || isReservedPath(path))
        throw new AppError(
          'start_failed',
          `the file ${one.path} would be at ${path ?? 'no path'} in this image, where none may be`,
        )
      const [outer, rest] = outsideOf(root, volumes, path)
      makeFolder(outer, dirname(rest), firstUserId, 0o755)
      makeFile(outer, rest, '', firstUserId)
      if (!findInside(outer, rest)?.isFile())
        throw new AppError('start_failed', `the file ${one.path} would be where this image has something else: name another path`)
      const file = join(folder, String(index))
      writeFileSync(file, one.text)
      chownSync(file, firstUserId, firstUserId)
      chmodSync(file, fileMode(one))
      placed.set(path, file)
    })
  return placed
}

/** Does a step of what a renter or an image has chosen, and says which it was where the file system refuses it. */
async function naming(sentence: string, step: () => void | Promise<void>): Promise<void> {
  try {
    await step()
  } catch (cause) {
    if (cause instanceof AppError || saysDiskFull(String(cause))) throw cause
    throw new AppError('start_failed', sentence, { cause })
  }
}

export async function unmountOwnRoots(home: string, roots: readonly string[]): Promise<void> {
  for (const path of [...roots, join(home, 'low')])
    if (mountPoints().includes(path) && (await runCommand('umount', [path])).code !== 0) await runCommand('umount', ['-l', path])
  for (const root of roots) if (existsSync(root)) rmdirSync(root)
}

/** Forgets what was written to the root and keeps the volumes. False where the disk holds another kind of application. */
export function forgetOwnRoot(home: string): boolean {
  const own = join(home, 'mnt', OWN_FOLDER)
  if (!existsSync(join(own, VOLUMES))) return false
  for (const side of SIDES) forgetSide(home, side)
  return true
}

/** Forgets what was written to the roots of one side, which are taken apart. */
export function forgetSide(home: string, side: Side): void {
  const own = join(home, 'mnt', OWN_FOLDER)
  const names = side === 'a' ? [...WRITTEN, FILES, SERVICES] : [side]
  for (const name of names) rmSync(join(own, name), { recursive: true, force: true })
}

/** The side of the only root that the disk of an order has. */
export function sideOnDisk(home: string): Side {
  const own = join(home, 'mnt', OWN_FOLDER)
  const hasFirst = [WRITTEN[0], SERVICES].some((name) => existsSync(join(own, name)))
  return !hasFirst && existsSync(join(own, 'b')) ? 'b' : 'a'
}

/** A new volume holds what the image has at its path, as Docker does it; else it belongs to the user of the application. */
async function makeVolume(root: string, path: string, folder: string, owner: { uid: number; gid: number }): Promise<void> {
  const source = findInside(root, path)
  if (!source?.isDirectory()) {
    mkdirSync(folder, { mode: 0o755 })
    return chownSync(folder, owner.uid, owner.gid)
  }
  const unfinished = `${folder}.new`
  rmSync(unfinished, { recursive: true, force: true })
  const { code, stderr } = await runCommand('cp', ['-a', '--', join(root, path), unfinished], { timeoutMs: 30 * 60_000 })
  if (code !== 0) {
    rmSync(unfinished, { recursive: true, force: true })
    throw new AppError(
      'start_failed',
      `what the image has at ${path} cannot be copied to the disk of this order: it may be too large for it`,
      {
        cause: stderr.slice(-200),
      },
    )
  }
  await run('mv', ['--', unfinished, folder])
}

/** What is at a path inside, undefined where nothing is or a link is on the way: a link of the image would lead out of it. */
function findInside(root: string, path: string): Stats | undefined {
  let at = root
  let found: Stats | undefined
  for (const part of path.split('/').filter((one) => one !== '')) {
    at = join(at, part)
    found = lstatSync(at, { throwIfNoEntry: false })
    if (!found || found.isSymbolicLink()) return undefined
  }
  return found
}

/** Makes a folder inside with those above it. Where a link or a file is in the way, the engine finds its own way or says so. */
function makeFolder(root: string, path: string, uid: number, mode: number): void {
  // Else thousands of folders would be made before the one that is too deep.
  if (Buffer.byteLength(root) + Buffer.byteLength(path) >= MAX_PATH_BYTES)
    throw new Error(`${path.length} characters are no path`)
  let at = root
  for (const part of path.split('/').filter((one) => one !== '')) {
    at = join(at, part)
    const found = lstatSync(at, { throwIfNoEntry: false })
    if (found && !found.isDirectory()) return
    if (found) continue
    mkdirSync(at)
    chmodSync(at, basename(path) === part ? mode : 0o755)
    chownSync(at, uid, uid)
  }
}

/** Makes a file inside where nothing is. */
function makeFile(root: string, path: string, text: string, uid: number): void {
  if (!findInside(root, dirname(path))?.isDirectory() || lstatSync(join(root, path), { throwIfNoEntry: false })) return
  writeFileSync(join(root, path), text, { flag: 'wx', mode: 0o644 })
  chownSync(join(root, path), uid, uid)
}

/** The numbers of a user as the files of the image have them. */
function userIdsOf(root: string, user: string): { uid: number; gid: number } {
  const [name = '', group] = user.split(':')
  const fields = (file: string, wanted: string): string[] | undefined => {
    const found = findInside(root, file)
    if (!found?.isFile() || found.size > 2 ** 20) return undefined
    const lines = readFileSync(join(root, file), 'utf8').split('\n')
    return lines.map((line) => line.split(':')).find((line) => line[0] === wanted || line[2] === wanted)
  }
  const entry = name === '' ? undefined : fields('/etc/passwd', name)
  const uid = /^\d+$/.test(name) ? Number(name) : name === '' ? 0 : Number(entry?.[2] ?? Number.NaN)
  if (!isId(uid)) throw new AppError('start_failed', `the image has no user ${visibleText(name.slice(0, 64))}`)
  const gid =
    group === undefined
      ? Number(entry?.[3] ?? 0)
      : /^\d+$/.test(group)
        ? Number(group)
        : Number(fields('/etc/group', group)?.[2] ?? Number.NaN)
  if (!isId(gid)) throw new AppError('start_failed', `the image has no group ${visibleText((group ?? '').slice(0, 64))}`)
  return { uid, gid }
}

const isId = (id: number): boolean => Number.isInteger(id) && id >= 0 && id < IDS_PER_ORDER

async function run(file: string, args: readonly string[]): Promise<void> {
  const { code, stderr } = await runCommand(file, args)
  if (code === 0) return
  if (/No space left/i.test(stderr)) throw diskFull('the root of the application cannot be made')
  throw new AppError('isolation_unavailable', 'the root of the application cannot be put together', {
    ...{ cause: `${file}: ${stderr.slice(-300)}`, retryable: true },
  })
}

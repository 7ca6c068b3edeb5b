import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_LOG_BYTES } from '@rackfair/protocol/logLines'
import { AppError } from '@rackfair/rules/errors/AppError'
import { runCommand } from '../../foundation/runCommand.ts'
import { dropDataAside } from './asideData.ts'
import { mountPoints } from './mountPoints.ts'
import { forgetOwnRoot, forgetSide, SIDES, type Side, unmountOwnRoots } from './ownRoot.ts'

/** Left free on the provider's own disk, whatever was sold. */
export const RESERVE_BYTES = 2 * 2 ** 30
const MIN_BYTES = 64 * 2 ** 20

const DISK_FAILED = 'the disk of this order cannot be made or opened: ask the provider, or deploy elsewhere'

/**
 * The disk of an order: a file with a filesystem of exactly the size that was bought, so that a tenant who fills it fills
 * nothing else. The file is sparse; it takes space only as it is written. `roots` is for the roots of own applications.
 */
export function createOrderDisks(folder: string, overcommit: boolean, roots: string) {
  const home = (orderId: bigint) => join(folder, String(orderId))
  const rootOf = (orderId: bigint, service?: string, side: Side = 'a') =>
    join(roots, service === undefined ? rootName(orderId, side) : `${rootName(orderId, side)}.${service}`)
  const mountPoint = (orderId: bigint) => join(home(orderId), 'mnt')

  /** What is free on the provider's disk; unless it is overcommitted, once every other order has filled its own to the last byte. */
  const freeBytes = (orderId: bigint): number => {
    const { bavail, bsize } = statfsSync(folder)
    let promised = 0
    if (!overcommit)
      for (const other of list().filter((one) => one !== orderId)) {
        const image = statSync(join(home(other), 'disk.img'), { throwIfNoEntry: false })
        // Its log lies beside the disk: one that is full would lose the very lines that say so.
        if (image) promised += Math.max(0, image.size - image.blocks * 512) + MAX_LOG_BYTES
      }
    return bavail * bsize - promised - RESERVE_BYTES
  }
  const list = (): bigint[] => {
    if (!existsSync(folder)) return []
    return readdirSync(folder)
      .filter((name) => /^\d+$/.test(name))
      .map(BigInt)
  }

  return {
    /** Makes and mounts the disk, or mounts the one that is there. Answers the folder of each volume. */
    async mount(orderId: bigint, sizeBytes: number, volumes: readonly string[]): Promise<Map<string, string>> {
      const path = mountPoint(orderId)
      const image = join(home(orderId), 'disk.img')
      mkdirSync(path, { recursive: true, mode: 0o700 })
      chmodSync(folder, 0o711)
      chmodSync(home(orderId), 0o711)
      if (!existsSync(join(home(orderId), 'ready')))
        await makeDisk(home(orderId), { sizeBytes, free: freeBytes(orderId), overcommit })
      if (!mountPoints().includes(path)) {
        const mounted = await runCommand('mount', ['-o', 'loop,nosuid,nodev', image, path])
        if (mounted.code !== 0)
          throw new AppError('isolation_unavailable', DISK_FAILED, { cause: `mount: ${mounted.stderr.slice(0, 300)}` })
      }
      chmodSync(path, 0o711)
      const folders = new Map<string, string>()
      for (const volume of volumes) {
        const one = join(path, volume)
        mkdirSync(one, { recursive: true, mode: 0o755 })
        folders.set(volume, one)
      }
      return folders
    },

    /** How full the disk of an order is; undefined while it is not mounted. */
    usage(orderId: bigint): { usedBytes: number; sizeBytes: number } | undefined {
      const path = mountPoint(orderId)
      // The folder itself lies on the provider's disk.
      if (statSync(path, { throwIfNoEntry: false })?.dev === statSync(folder, { throwIfNoEntry: false })?.dev) return undefined
      const { blocks, bfree, bsize } = statfsSync(path)
      return { usedBytes: (blocks - bfree) * bsize, sizeBytes: blocks * bsize }
    },

    async unmount(orderId: bigint): Promise<void> {
      const path = mountPoint(orderId)
      await unmountOwnRoots(home(orderId), rootsOf(roots, orderId, SIDES))
      if (existsSync(path) && mountPoints().includes(path)) {
        const { code, stderr } = await runCommand('umount', [path])
        if (code !== 0 && (await runCommand('umount', ['-l', path])).code !== 0 && mountPoints().includes(path))
          throw new Error(`umount ${path}: ${stderr}`)
      }
    },

    /** Takes the root apart and mounts the disk. False where there is none. */
    async open(orderId: bigint): Promise<boolean> {
      if (!existsSync(join(home(orderId), 'ready'))) return false
      await unmountOwnRoots(home(orderId), rootsOf(roots, orderId, SIDES))
      await this.mount(orderId, 0, [])
      return true
    },

    /** Takes the roots of one side apart, and forgets what was written to them. */
    async forgetSide(orderId: bigint, side: Side): Promise<void> {
      if (!existsSync(join(home(orderId), 'ready'))) return
      await unmountOwnRoots(home(orderId), rootsOf(roots, orderId, [side]))
      await this.mount(orderId, 0, [])
      forgetSide(home(orderId), side)
    },

    /** The folder of an order, in which its disk is mounted at `mnt`. */
    home,
    /** Where the root of an own application, or of one of its services, is put together. */
    rootOf,

    /** Removes the data of an order; `keepVolumes` leaves those of an own application. */
    async wipe(orderId: bigint, { keepVolumes = false } = {}): Promise<void> {
      if (keepVolumes && (await this.open(orderId))) {
        await dropDataAside(mountPoint(orderId))
        if (forgetOwnRoot(home(orderId))) return
      }
      await this.unmount(orderId)
      rmSync(home(orderId), { recursive: true, force: true })
    },

    list,
  }
}

/** Makes the file of a disk, and the filesystem in it. `free`: what there is for it. */
async function makeDisk(home: string, wanted: { sizeBytes: number; free: number; overcommit: boolean }): Promise<void> {
  const { sizeBytes, free, overcommit } = wanted
  const image = join(home, 'disk.img')
  const size = Math.max(MIN_BYTES, Math.floor(sizeBytes / 4096) * 4096)
  if ((overcommit ? MIN_BYTES : size) > free)
    throw new AppError(
      'start_failed',
      `this machine has no room for the disk of this order: ${inGb(size)} GB were bought, ${inGb(Math.max(0, free))} GB are neither used nor promised to other orders; nothing was lost, ask the provider to make room`,
      { facts: { machine: true } },
    )
  writeFileSync(image, '', { mode: 0o600 })
  truncateSync(image, size)
  const made = await runCommand('mkfs.ext4', ['-q', '-F', '-m', '0', '-E', 'lazy_itable_init=1,lazy_journal_init=1', image])
  if (made.code !== 0) throw new AppError('start_failed', DISK_FAILED, { cause: `mkfs.ext4: ${made.stderr.slice(0, 300)}` })
  writeFileSync(join(home, 'ready'), '')
}

const rootName = (orderId: bigint, side: Side): string => (side === 'a' ? String(orderId) : `${orderId}~${side}`)

/** Where the roots of an order's services are put together. */
const rootsOf = (roots: string, orderId: bigint, sides: readonly Side[]): string[] =>
  (existsSync(roots) ? readdirSync(roots) : [])
    .filter((name) => sides.some((side) => name === rootName(orderId, side) || name.startsWith(`${rootName(orderId, side)}.`)))
    .map((name) => join(roots, name))

const inGb = (bytes: number): string => (bytes / 1e9).toFixed(1)

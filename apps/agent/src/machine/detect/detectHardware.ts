import { existsSync, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'
import si from 'systeminformation'
import { RESERVE_BYTES } from '../../runtime/engine/orderDisk.ts'
import type { Gpu } from '../../runtime/Gpu.ts'
import { detectGpus, nvidiaDriver } from '../gpu/detectGpus.ts'
import { cpuModelName } from './modelNames.ts'

export interface Hardware {
  cpu: { model: string; processors: number; coresPerProcessor: number }
  /** Whole GB (GiB of memory as sold, GB of disk). */
  memoryGb: number
  diskGb: number
  /** The most disk that can be sold, including what orders already hold. */
  diskMostGb: number
  gpus: Gpu[]
  /** The version of the NVIDIA driver; absent without one. */
  driver?: string | undefined
  architecture: string
  freeMemoryBytes: number
}

/** Memory and disk reserved for the host itself. */
const HOST_MEMORY_GB = 1
const DISK_SHARE = 0.8

/** Detects this machine's hardware. `folder` is on the disk that orders will use. */
export async function detectHardware(folder: string): Promise<Hardware> {
  const [cpu, memory, gpus, driver] = await Promise.all([si.cpu(), si.mem(), detectGpus(), nvidiaDriver()])
  const online = new Set(
    readFileSync('/proc/cpuinfo', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('processor')),
  ).size
  const processors = Math.max(1, cpu.processors || 1)
  const { bavail, bsize } = statfsSync(existing(folder))
  const free = bavail * bsize
  return {
    cpu: {
      model: cpuModelName(`${cpu.manufacturer} ${cpu.brand}`.trim()) || cpu.brand || 'CPU',
      processors,
      coresPerProcessor: Math.max(1, Math.floor((online || cpu.cores) / processors)),
    },
    memoryGb: Math.max(1, Math.floor(memory.total / 2 ** 30) - HOST_MEMORY_GB),
    diskGb: Math.max(1, Math.floor(Math.min(free * DISK_SHARE, free - RESERVE_BYTES) / 1e9)),
    diskMostGb: Math.max(0, Math.floor((free + heldByOrders(folder) - RESERVE_BYTES) / 1e9)),
    gpus,
    ...(driver === undefined ? {} : { driver }),
    architecture: process.arch,
    freeMemoryBytes: freemem(),
  }
}

/** The space that orders' disks below this folder take at present. */
function heldByOrders(folder: string): number {
  const volumes = join(folder, 'volumes')
  if (!existsSync(volumes)) return 0
  return readdirSync(volumes).reduce((total, order) => {
    const image = statSync(join(volumes, order, 'disk.img'), { throwIfNoEntry: false })
    return total + (image ? image.blocks * 512 : 0)
  }, 0)
}

function existing(folder: string): string {
  let path = folder
  while (!existsSync(path)) path = path.slice(0, path.lastIndexOf('/')) || '/'
  return path
}

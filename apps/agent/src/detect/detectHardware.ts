import { existsSync, readdirSync, readFileSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import si from 'systeminformation'
import { RESERVE_BYTES } from '../runtime/engine/orderDisk.ts'
import { runCommand } from '../runtime/runCommand.ts'
import { cpuModelName, gpuModelName } from './modelNames.ts'

export interface Hardware {
  cpu: { model: string; processors: number; coresPerProcessor: number }
  /** Whole GB (GiB of memory as sold, GB of disk). */
  memoryGb: number
  diskGb: number
  gpus: { model: string; memoryMb: number }[]
  architecture: string
  freeMemoryBytes: number
}

/** What of the machine's memory and disk is not offered, so that the host itself keeps breathing. */
const HOST_MEMORY_GB = 1
const DISK_SHARE = 0.8

/** What this machine has. `folder` lies on the disk that orders will use. */
export async function detectHardware(folder: string): Promise<Hardware> {
  const [cpu, memory, gpus] = await Promise.all([si.cpu(), si.mem(), detectGpus()])
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
    gpus,
    architecture: process.arch,
    freeMemoryBytes: freemem(),
  }
}

function existing(folder: string): string {
  let path = folder
  while (!existsSync(path)) path = path.slice(0, path.lastIndexOf('/')) || '/'
  return path
}

async function detectGpus(): Promise<Hardware['gpus']> {
  const nvidia = await runCommand('nvidia-smi', ['--query-gpu=name,memory.total', '--format=csv,noheader,nounits'], {
    timeoutMs: 10_000,
  })
  if (nvidia.code === 0) return parseNvidiaSmi(nvidia.stdout)
  const proc = '/proc/driver/nvidia/gpus'
  if (existsSync(proc))
    return readdirSync(proc).map((name) => {
      const model = /^Model:\s+(.+)$/m.exec(readFileSync(`${proc}/${name}/information`, 'utf8'))?.[1] ?? 'NVIDIA GPU'
      return { model: gpuModelName(model), memoryMb: 0 }
    })
  const rocm = await runCommand('rocm-smi', ['--showproductname', '--json'], { timeoutMs: 10_000 })
  return rocm.code === 0 ? parseRocmSmi(rocm.stdout) : []
}

/** `NVIDIA GeForce RTX 4090, 24564` per line. */
export function parseNvidiaSmi(output: string): Hardware['gpus'] {
  return output
    .split('\n')
    .map((line) => line.split(','))
    .filter(([name]) => name?.trim())
    .map(([name, memory]) => ({ model: gpuModelName(name as string), memoryMb: Number(memory ?? 0) || 0 }))
}

/** `{"card0": {"Card Series": "…"}}` */
export function parseRocmSmi(output: string): Hardware['gpus'] {
  try {
    const cards = JSON.parse(output) as Record<string, Record<string, string>>
    return Object.entries(cards)
      .filter(([name]) => name.startsWith('card'))
      .map(([, card]) => ({ model: gpuModelName(card['Card Series'] ?? card['Card series'] ?? 'AMD GPU'), memoryMb: 0 }))
  } catch {
    return []
  }
}

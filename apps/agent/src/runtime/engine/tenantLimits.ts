import { totalmem } from 'node:os'
import type { Workload } from '../Runtime.ts'
import { kernelLimit } from './kernelLimits.ts'

/** Per-tenant limits for kernel resources shared by all containers, beyond the memory, processor time and disk that were bought. */
export const TENANT_LIMITS = {
  /** Also bounds timers: each of them holds the place of a signal. */
  pendingSignals: 1024,
  terminals: 64,
  inotifyInstances: 128,
  inotifyWatches: 16_384,
  connections: 2048,
  newConnectionsPerSecond: 100,
  newConnectionsAtOnce: 2500,
} as const

const PROCESSES_PER_CORE = 256
const LEAST_PROCESSES = 2048

/**
 * Processes and threads of an order, and those that a user of it may have where nothing else counts. gVisor has threads of its own beside
 * those of the application, and one that it cannot start ends the whole container.
 */
export function processesOf({ app, allowance }: Workload): { processes: number; processLimit: number } {
  const processes = Math.max(LEAST_PROCESSES, Math.ceil(allowance.cores) * PROCESSES_PER_CORE)
  return app.own?.sandbox === undefined
    ? { processes, processLimit: processes }
    : { processes: 2 * processes, processLimit: 4 * processes }
}

/** What a file takes of its tenant's memory, at least, while it is open. */
const OPEN_FILE_BYTES = 192

/** Open files of each process: memory bounds them all together, unless the kernel has a limit below that for all tenants. */
export function openFilesOf(fileMax: number = kernelLimit('fs.file-max') ?? 0): number {
  return fileMax > totalmem() / OPEN_FILE_BYTES ? 1_048_576 : 4096
}

/** Size of /dev/shm in bytes: what lies in it counts as memory of the order. */
export function sharedMemoryOf({ app, allowance }: Workload): number {
  return Math.min(app.own?.sharedMemory ?? Math.floor(allowance.memoryBytes / 2), allowance.memoryBytes)
}

const SCRATCH_BYTES = 16 * 2 ** 20
/** Engines add unsized memory filesystems here to a read-only root. */
const SCRATCH = ['/run', '/var/tmp']

/** Memory filesystems of a container: path and options. */
export function tmpfsMounts(wanted: readonly { path: string; sizeBytes: number }[]): Record<string, string> {
  const mounts: Record<string, string> = {}
  for (const path of SCRATCH) mounts[path] = `size=${SCRATCH_BYTES},mode=1777,nosuid,nodev,noexec`
  for (const { path, sizeBytes } of wanted) mounts[path] = `size=${sizeBytes},mode=1777,nosuid,nodev`
  return mounts
}

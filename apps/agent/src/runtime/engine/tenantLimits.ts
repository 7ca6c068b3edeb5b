/** Per-tenant limits for kernel resources shared by all containers, beyond the memory, processor time and disk that were bought. */
export const TENANT_LIMITS = {
  processes: 512,
  /** By the user's own count, where nothing else counts. */
  processLimit: 512,
  /** Of each process. */
  openFiles: 4096,
  /** Also bounds timers: each of them holds the place of a signal. */
  pendingSignals: 1024,
  terminals: 64,
  inotifyInstances: 128,
  inotifyWatches: 16_384,
  connections: 2048,
  newConnectionsPerSecond: 100,
  newConnectionsAtOnce: 2500,
} as const

/** gVisor has threads of its own beside those of the application; one that it cannot start ends the whole container. */
export const SANDBOX_LIMITS = { processes: 2048, processLimit: 4096 } as const

export const SHM_BYTES = 64 * 2 ** 20
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

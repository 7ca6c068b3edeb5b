import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs'

export interface KernelLimit {
  name: string
  /** What the agent raises it to. */
  wanted: number
  /** With less, a few tenants at their own limits would leave nothing to this machine and to the others. */
  least: number
}

/** Limits that all containers of a machine share, and this machine with them: above what all tenants together may take. */
export const KERNEL_LIMITS: readonly KernelLimit[] = [
  // Memory is what ends the files of a tenant.
  { name: 'fs.file-max', wanted: 2 ** 40, least: 2 ** 26 },
  { name: 'fs.inotify.max_user_instances', wanted: 65_536, least: 65_536 },
  { name: 'fs.inotify.max_user_watches', wanted: 8_388_608, least: 8_388_608 },
  { name: 'kernel.pid_max', wanted: 4_194_304, least: 262_144 },
  // As of files: the kernel's own limit follows the machine's memory, of which a thread takes what its tenant bought.
  { name: 'kernel.threads-max', wanted: 4_194_304, least: 65_536 },
  { name: 'kernel.pty.max', wanted: 65_536, least: 32_768 },
  { name: 'net.netfilter.nf_conntrack_max', wanted: 1_048_576, least: 262_144 },
]

const fileOf = (name: string): string => `/proc/sys/${name.replaceAll('.', '/')}`

/** The value now; undefined where the kernel has no such limit. */
export function kernelLimit(name: string): number | undefined {
  try {
    return Number(readFileSync(fileOf(name), 'utf8'))
  } catch {
    return undefined
  }
}

export function canRaise(name: string): boolean {
  try {
    accessSync(fileOf(name), constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Raises what is too low and never lowers; answers the limits that stayed below the least. They last until the machine starts again. */
export function raiseKernelLimits(limits: readonly KernelLimit[] = KERNEL_LIMITS): KernelLimit[] {
  return limits.filter(({ name, wanted, least }) => {
    const value = kernelLimit(name)
    if (value === undefined || value >= wanted) return false
    try {
      writeFileSync(fileOf(name), String(wanted))
    } catch {
      return value < least
    }
    return false
  })
}

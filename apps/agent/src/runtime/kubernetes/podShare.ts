import type { Workload } from '../Runtime.ts'

/**
 * What one of several containers of a pod may use of what was bought: a pod has no limits of its own that they could share. Processor and disk are
 * split equally, and so is the memory that those leave who name how much they need. GPUs go to the main one: a device is given to one container.
 */
export function podShare(workload: Workload): Workload {
  const { app, allowance } = workload
  const { service } = app
  if (!service) return workload
  const count = service.memory.length
  const memoryBytes = memoryShares(allowance.memoryBytes, service.memory)[service.place] ?? 0
  return {
    ...workload,
    allowance: {
      cores: Math.floor((allowance.cores * 1000) / count) / 1000,
      memoryBytes,
      diskBytes: Math.floor(allowance.diskBytes / count),
      gpus: service.key === undefined ? allowance.gpus : [],
    },
  }
}

/**
 * Who names how much memory it needs gets that, the others the same part each of what is left: at least half of what an equal split would give
 * them, which those who named more than there is go short of.
 *
 * @example memoryShares(900, [undefined, 300, undefined]) // [300, 300, 300]
 */
export function memoryShares(total: number, asked: readonly (number | undefined)[]): number[] {
  const others = asked.filter((bytes) => bytes === undefined).length
  const named = asked.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0)
  const most = total - (others * total) / (2 * asked.length)
  const factor = named > most ? most / named : 1
  const left = (total - named * factor) / others
  return asked.map((bytes) => Math.floor(bytes === undefined ? left : bytes * factor))
}

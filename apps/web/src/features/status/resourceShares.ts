import type { GlobalWire } from '@rackfair/core/wire'

export type Resource = 'gpu' | 'cpu' | 'memory' | 'storage'
export const RESOURCES: readonly Resource[] = ['gpu', 'cpu', 'memory', 'storage']

export interface ResourceShare {
  resource: Resource
  /** Pieces for CPU and GPU, GB for memory and storage. */
  used: number
  idle: number
  /** Used of all, 0 to 1; undefined where nothing is listed. */
  share: number | undefined
}

/** What is sold and what is not, per resource. */
export function resourceShares(totals: GlobalWire): readonly ResourceShare[] {
  const figures: Record<Resource, [number, number]> = {
    gpu: [totals.gpuUsed, totals.gpuGlobal],
    cpu: [totals.cpuUsed, totals.cpuGlobal],
    memory: [totals.memUsed, totals.memGlobal],
    storage: [totals.diskUsed, totals.diskGlobal],
  }
  return RESOURCES.map((resource) => {
    const [used, all] = figures[resource]
    return { resource, used, idle: Math.max(0, all - used), share: all === 0 ? undefined : Math.min(1, used / all) }
  })
}

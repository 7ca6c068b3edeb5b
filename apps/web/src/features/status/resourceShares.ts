import type { NetworkCapacity, ResourceTotal } from '@rackfair/sdk/http'

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

const TOTALS: Record<Resource, (of: NetworkCapacity) => ResourceTotal> = {
  gpu: ({ gpus }) => gpus,
  cpu: ({ cpus }) => cpus,
  memory: ({ memoryGb }) => memoryGb,
  storage: ({ diskGb }) => diskGb,
}

export function totalOf(network: NetworkCapacity, resource: Resource): ResourceTotal {
  return TOTALS[resource](network)
}

/** What is sold and what is not, per resource. */
export function resourceShares(totals: NetworkCapacity): readonly ResourceShare[] {
  return RESOURCES.map((resource) => {
    const { sold, listed } = totalOf(totals, resource)
    const share = listed === 0 ? undefined : Math.min(1, sold / listed)
    return { resource, used: sold, idle: Math.max(0, listed - sold), share }
  })
}

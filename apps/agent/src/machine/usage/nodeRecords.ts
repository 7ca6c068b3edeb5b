import type { UsagePoint } from '@rackfair/protocol/workspaceAnswers'
import type { ChainNode } from '../../chain/read/chainView.ts'
import type { Gpu } from '../../runtime/Gpu.ts'
import type { GpuReading } from '../gpu/readGpuHealth.ts'
import type { UsageRing } from './usageRing.ts'

export type MachineNodeFacts = Pick<ChainNode, 'id' | 'orderId' | 'nCPU' | 'core' | 'nGPU'>

export interface NodeRecordsOptions {
  ring: UsageRing
  /** The provider's nodes, with the GPUs that each has. */
  nodes: () => readonly { node: MachineNodeFacts; gpus: readonly Gpu[] }[]
  readingOf: (gpu: Gpu) => GpuReading | undefined
  now: () => number
}
export type NodeRecords = ReturnType<typeof createNodeRecords>

/** What each node did over seven days, whoever had it: what a provider sees of its machines outlasts the orders. */
export function createNodeRecords({ ring, nodes, readingOf, now }: NodeRecordsOptions) {
  const latest = new Map<bigint, UsagePoint>()
  let kept = ''

  const forgetOthers = (ids: readonly bigint[]) => {
    // Before the chain has answered there are no nodes, and nothing is forgotten.
    if (ids.length === 0 || ids.join() === kept) return
    for (const id of ring.owners()) if (!ids.includes(id)) ring.remove(id)
    for (const id of [...latest.keys()]) if (!ids.includes(id)) latest.delete(id)
    kept = ids.join()
  }

  return {
    /** `points` are what the orders that run used. A node without one rests. */
    record(points: ReadonlyMap<bigint, UsagePoint>): void {
      const all = nodes()
      forgetOthers(all.map(({ node }) => node.id))
      for (const { node, gpus } of all) {
        const used = points.get(node.orderId)
        const readings = Array.from({ length: node.nGPU }, (_, place) => {
          const gpu = gpus[place]
          const { usePercent, memoryUsedMb, celsius, watts } = (gpu && readingOf(gpu)) ?? {}
          return { usePercent, memoryUsedMb, celsius, watts }
        })
        const point = { ...(used ?? resting(now())), gpus: readings }
        latest.set(node.id, point)
        ring.write(node.id, point)
      }
    },
    latest: (nodeId: bigint): UsagePoint | undefined => latest.get(nodeId),
    read: (node: MachineNodeFacts, history: Parameters<UsageRing['read']>[2]): UsagePoint[] =>
      ring.read(node.id, node.nGPU, history),
  }
}

/** How much of what is sold is used, 0 to 1: of the GPUs, or of the cores of a node without. Undefined where the cards do not say. */
export function useOf(point: UsagePoint, { nCPU, core, nGPU }: MachineNodeFacts): number | undefined {
  if (nGPU === 0) return Math.min(1, point.cores / Math.max(1, nCPU * core))
  const known = point.gpus.flatMap(({ usePercent }) => usePercent ?? [])
  return known.length === 0 ? undefined : known.reduce((sum, one) => sum + one, 0) / known.length / 100
}

const resting = (time: number): Omit<UsagePoint, 'gpus'> => ({
  ...{ time, cores: 0, processes: 0, memoryBytes: 0, receivedPerSecond: 0, sentPerSecond: 0 },
})

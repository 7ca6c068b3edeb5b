import type { NodeWire } from '@rackfair/core/wire'
import { medianOf } from './medianOf.ts'

const cache = new WeakMap<readonly NodeWire[], Map<string, string>>()

/** What a node is compared with: others with its GPU, or with its CPU when it has none. */
function modelKey(node: NodeWire): string {
  return node.gpu.num > 0 ? `gpu:${node.gpu.model}` : `cpu:${node.cpu.model}`
}

/** The median monthly total among nodes with the same model; null with fewer than two. */
export function medianRateOf(nodes: readonly NodeWire[], node: NodeWire): string | null {
  let medians = cache.get(nodes)
  if (!medians) {
    medians = new Map()
    for (const [key, group] of Map.groupBy(nodes, modelKey)) {
      const median = group.length > 1 ? medianOf(group.map((member) => BigInt(member.ratePerMonth))) : undefined
      if (median !== undefined) medians.set(key, String(median))
    }
    cache.set(nodes, medians)
  }
  return medians.get(modelKey(node)) ?? null
}

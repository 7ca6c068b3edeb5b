import { modelKey } from '@rackfair/rules/gpu/gpuName'
import type { MarketNode } from '@rackfair/rules/node/node'
import type { ModelPrice } from '@rackfair/sdk/http'

export type PriceKind = ModelPrice['kind']

export interface Median {
  /** Wei per unit and month; storage per GB. */
  unitWei: bigint
  /** How many nodes it is made of. */
  nodes: number
}

/** The market's median for a resource; CPU and GPU by model, however it is spelled. Undefined where nobody offers it. */
export function medianOf(prices: readonly ModelPrice[] | undefined, kind: PriceKind, model: string): Median | undefined {
  const key = modelKey(kind, model)
  const found = prices?.find((entry) => entry.kind === kind && entry.nodes > 0 && modelKey(kind, entry.model) === key)
  return found && { unitWei: found.medianUnitWei, nodes: found.nodes }
}

/** A month of a node at the market's medians; undefined where one of its parts has none. */
export function nodeMedianWei(
  prices: readonly ModelPrice[] | undefined,
  node: Pick<MarketNode, 'cpu' | 'gpu' | 'memoryGb' | 'diskGb'>,
): bigint | undefined {
  const parts = [
    { units: node.cpu.count, unitWei: medianOf(prices, 'cpu', node.cpu.model)?.unitWei },
    { units: node.gpu.count, unitWei: medianOf(prices, 'gpu', node.gpu.model)?.unitWei },
    { units: node.memoryGb, unitWei: medianOf(prices, 'mem', '')?.unitWei },
    { units: node.diskGb, unitWei: medianOf(prices, 'disk', '')?.unitWei },
  ].filter(({ units }) => units > 0)
  let sum = 0n
  for (const { units, unitWei } of parts) {
    if (unitWei === undefined) return undefined
    sum += BigInt(units) * unitWei
  }
  return parts.length > 0 ? sum : undefined
}

import type { NodeWire, PricesAnswer } from '@rackfair/core/wire'

export type PriceKind = 'cpu' | 'gpu' | 'mem' | 'disk'

export interface Median {
  /** Wei per unit and month; storage per GB. */
  unitWei: bigint
  /** How many nodes it is made of. */
  nodes: number
}

/** The market's median for a resource; CPU and GPU by model, whatever its capitals. Undefined where nobody offers it. */
export function medianOf(prices: PricesAnswer | undefined, kind: PriceKind, model: string): Median | undefined {
  const wanted = model.trim().toLowerCase()
  const found = prices?.models.find(
    (entry) =>
      entry.kind === kind && entry.nodes > 0 && (kind === 'mem' || kind === 'disk' || entry.model.toLowerCase() === wanted),
  )
  return found && { unitWei: BigInt(found.medianUnit), nodes: found.nodes }
}

/** A month of a node at the market's medians; undefined where one of its parts has none. */
export function nodeMedianWei(
  prices: PricesAnswer | undefined,
  node: Pick<NodeWire, 'cpu' | 'gpu' | 'mem' | 'disk'>,
): bigint | undefined {
  const parts = [
    { units: node.cpu.num, unitWei: medianOf(prices, 'cpu', node.cpu.model)?.unitWei },
    { units: node.gpu.num, unitWei: medianOf(prices, 'gpu', node.gpu.model)?.unitWei },
    { units: node.mem.num, unitWei: medianOf(prices, 'mem', '')?.unitWei },
    { units: node.disk.num, unitWei: medianOf(prices, 'disk', '')?.unitWei },
  ].filter(({ units }) => units > 0)
  let sum = 0n
  for (const { units, unitWei } of parts) {
    if (unitWei === undefined) return undefined
    sum += BigInt(units) * unitWei
  }
  return parts.length > 0 ? sum : undefined
}

import type { PricesAnswer } from '@rackfair/core/wire'

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

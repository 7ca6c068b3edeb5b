import type { Resources, UnitPrices } from './pricing.ts'

export type LineKind = 'gpu' | 'cpu' | 'memory' | 'storage'

/**
 * One resource of a fee: `count` units at `unitWei` each per month. Storage counts GB but is priced per TB, so `unitWei` is per 1000 GB.
 */
export interface PriceLine {
  kind: LineKind
  count: number
  unitWei: bigint
  totalWei: bigint
}

/**
 * The share of each resource in a fee for whole months. They add up to the contract's own figure, since whole months leave nothing to
 * round.
 */
export function priceLines(resources: Resources, prices: UnitPrices, months: number): PriceLine[] {
  const line = (kind: LineKind, count: number, priceWei: bigint, unitWei = priceWei): PriceLine => ({
    kind,
    count,
    unitWei,
    totalWei: priceWei * BigInt(count) * BigInt(months),
  })
  return [
    line('gpu', resources.nGPU, prices.pGPU),
    line('cpu', resources.nCPU, prices.pCPU),
    line('memory', resources.nMEM, prices.pMEM),
    line('storage', resources.nDISK, prices.pDISK, prices.pDISK * 1000n),
  ].filter((entry) => entry.count > 0)
}

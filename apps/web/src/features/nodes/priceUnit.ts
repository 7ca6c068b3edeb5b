import type { MarketNode } from '@rackfair/rules/node/node'
import type { NodeSort } from '@rackfair/rules/node/sort'
import { accruedWei } from '@rackfair/rules/prices/pricing'

/** What a price is shown for: one GPU and hour, the machine and hour, the machine and month. */
export const PRICE_UNITS = ['gpu', 'hour', 'month'] as const
export type PriceUnit = (typeof PRICE_UNITS)[number]

/** Digits after the point. */
export const UNIT_DIGITS: Record<PriceUnit, number> = { gpu: 4, hour: 4, month: 2 }

export const UNIT_SORT = { gpu: 'perGpu', hour: 'price', month: 'price' } as const satisfies Record<PriceUnit, NodeSort>

/** In wei; undefined for one GPU of a machine that has none. */
export function priceIn(
  unit: PriceUnit,
  { ratePerMonthWei, gpu }: Pick<MarketNode, 'ratePerMonthWei' | 'gpu'>,
): bigint | undefined {
  if (unit === 'month') return ratePerMonthWei
  const hourWei = accruedWei(ratePerMonthWei, 3600n)
  if (unit === 'hour') return hourWei
  return gpu.count > 0 ? hourWei / BigInt(gpu.count) : undefined
}

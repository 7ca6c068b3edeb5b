import { accruedWei } from '@rackfair/core'
import type { NodeSort, NodeWire } from '@rackfair/core/wire'

/** What a price is shown for: one GPU and hour, the machine and hour, the machine and month. */
export const PRICE_UNITS = ['gpu', 'hour', 'month'] as const
export type PriceUnit = (typeof PRICE_UNITS)[number]

/** Digits after the point. */
export const UNIT_DIGITS: Record<PriceUnit, number> = { gpu: 4, hour: 4, month: 2 }

export const UNIT_SORT = { gpu: 'perGpu', hour: 'price', month: 'price' } as const satisfies Record<PriceUnit, NodeSort>

/** In wei; undefined for one GPU of a machine that has none. */
export function priceIn(unit: PriceUnit, node: Pick<NodeWire, 'ratePerMonth' | 'gpu'>): bigint | undefined {
  const rate = BigInt(node.ratePerMonth)
  if (unit === 'month') return rate
  const gpus = BigInt(node.gpu.num)
  if (unit === 'hour') return accruedWei(rate, 3600n)
  return gpus > 0n ? accruedWei(rate, 3600n) / gpus : undefined
}

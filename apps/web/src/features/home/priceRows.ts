import { CPU_PRESETS, GPU_PRESETS, ONE_CREDIT_WEI } from '@rackfair/core'
import type { PricesAnswer } from '@rackfair/core/wire'

export interface PriceRow {
  model: string
  /** Machines on offer with this model; 0 when only the list price is known. */
  machines: number
  /** Per unit and month, wei; undefined when nobody offers it. */
  fromWei: bigint | undefined
  medianWei: bigint | undefined
  /** The preset a provider starts from, where there is one. */
  listWei: bigint | undefined
  /** Monthly total of the cheapest idle machine. */
  cheapestIdleWei: bigint | undefined
}

const MOST = 12

/** Models on offer first, the most frequent at the top, then the presets nobody offers at the moment. */
export function priceRows(kind: 'gpu' | 'cpu', prices: PricesAnswer | undefined): readonly PriceRow[] {
  const presets = kind === 'gpu' ? GPU_PRESETS : CPU_PRESETS
  const listWei = new Map(presets.map((preset) => [preset.model.toLowerCase(), BigInt(preset.usdPerMonth) * ONE_CREDIT_WEI]))
  const offered = (prices?.models ?? [])
    .filter((price) => price.kind === kind && price.model !== '' && price.nodes > 0)
    .map((price) => ({
      model: price.model,
      machines: price.nodes,
      fromWei: BigInt(price.minUnit),
      medianWei: BigInt(price.medianUnit),
      listWei: listWei.get(price.model.toLowerCase()),
      cheapestIdleWei: price.cheapestIdleRate === null ? undefined : BigInt(price.cheapestIdleRate),
    }))
    .sort((a, b) => b.machines - a.machines || a.model.localeCompare(b.model))
  const known = new Set(offered.map((row) => row.model.toLowerCase()))
  const missing = presets
    .filter((preset) => !known.has(preset.model.toLowerCase()))
    .map((preset) => ({
      model: preset.model,
      machines: 0,
      fromWei: undefined,
      medianWei: undefined,
      listWei: listWei.get(preset.model.toLowerCase()),
      cheapestIdleWei: undefined,
    }))
  return [...offered, ...missing].slice(0, MOST)
}

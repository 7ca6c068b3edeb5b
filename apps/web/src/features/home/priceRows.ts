import { CPU_PRESETS, GPU_PRESETS, listPriceWei } from '@rackfair/rules/presets'
import type { ModelPrice } from '@rackfair/sdk/http'

/** A model on offer. */
export interface PriceRow {
  model: string
  machines: number
  /** Per unit and month, wei. */
  fromWei: bigint
  medianWei: bigint
  /** The preset a provider starts from, where there is one. */
  listWei: bigint | undefined
  /** Monthly total of the cheapest idle machine. */
  cheapestIdleWei: bigint | undefined
}

const MOST = 12

/** What is on offer, the most frequent model first. */
export function priceRows(kind: 'gpu' | 'cpu', prices: readonly ModelPrice[] | undefined): readonly PriceRow[] {
  const listWei = new Map(listPrices(kind, []).map((preset) => [preset.model.toLowerCase(), preset.listWei]))
  return (prices ?? [])
    .filter((price) => price.kind === kind && price.model !== '' && price.nodes > 0)
    .map((price) => ({
      model: price.model,
      machines: price.nodes,
      fromWei: price.minUnitWei,
      medianWei: price.medianUnitWei,
      listWei: listWei.get(price.model.toLowerCase()),
      cheapestIdleWei: price.cheapestIdleWei ?? undefined,
    }))
    .sort((a, b) => b.machines - a.machines || a.model.localeCompare(b.model))
    .slice(0, MOST)
}

/** The presets that nobody offers at the moment, with the price that a provider starts from, in wei per unit and month. */
export function listPrices(kind: 'gpu' | 'cpu', offered: readonly PriceRow[]): readonly { model: string; listWei: bigint }[] {
  const known = new Set(offered.map((row) => row.model.toLowerCase()))
  return (kind === 'gpu' ? GPU_PRESETS : CPU_PRESETS)
    .filter((preset) => !known.has(preset.model.toLowerCase()))
    .map((preset) => ({ model: preset.model, listWei: listPriceWei(preset) }))
}

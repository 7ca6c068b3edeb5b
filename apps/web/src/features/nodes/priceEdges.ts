import { formatCredit, parseCredit } from '@rackfair/rules/money'
import type { NodeSearchPage } from '@rackfair/sdk/http'

export type Histogram = NodeSearchPage['histogram']

/** The borders between the bars, wei, lowest first: one more than there are bars. */
export function priceEdges(histogram: Histogram): readonly bigint[] {
  const last = histogram.at(-1)
  return last === undefined ? [] : [...histogram.map((bar) => bar.fromWei), last.toWei]
}

/** The bars, with empty ones where the range that is asked for lies below or above all of them: both of its ends are on the slider. */
export function withRange(histogram: Histogram, minPrice: string, maxPrice: string): Histogram {
  const first = histogram[0]
  const last = histogram.at(-1)
  if (first === undefined || last === undefined) return histogram
  const [min, max] = [parseCredit(minPrice), parseCredit(maxPrice)]
  const [bottom, top] = [first.fromWei, last.toWei]
  const below = [min, max].filter((price) => price !== undefined && price > 0n && price < downToCent(bottom)) as bigint[]
  const above = min !== undefined && min > upToCent(top) ? [top, min, 2n * min] : []
  return [...barsOf(below.length > 0 ? [0n, ...below, bottom] : []), ...histogram, ...barsOf(above)]
}

const barsOf = (edges: readonly bigint[]): Histogram =>
  edges.slice(1).map((toWei, index) => ({ fromWei: edges[index] ?? toWei, toWei, count: 0 }))

/** Which borders a price range stands at. A price between two borders counts as the wider one. */
export function edgesOfRange(edges: readonly bigint[], minPrice: string, maxPrice: string): { low: number; high: number } {
  const top = Math.max(0, edges.length - 1)
  const min = parseCredit(minPrice)
  const max = parseCredit(maxPrice)
  const low =
    min === undefined
      ? 0
      : Math.max(
          0,
          edges.findLastIndex((edge) => downToCent(edge) <= min),
        )
  const above = max === undefined ? top : edges.findIndex((edge) => upToCent(edge) >= max)
  return { low: Math.min(low, top), high: above < 0 ? top : Math.max(above, low) }
}

/** The range in USD for two borders, to the cent and never narrower than the bars; the outermost borders mean no limit. */
export function rangeOfEdges(edges: readonly bigint[], low: number, high: number): { minPrice: string; maxPrice: string } {
  return {
    minPrice: low <= 0 ? '' : formatCredit(edges[low] ?? 0n, { max: 2 }),
    maxPrice: high >= edges.length - 1 ? '' : formatCredit(upToCent(edges[high] ?? 0n), { max: 2 }),
  }
}

const CENT_WEI = 10n ** 16n
const downToCent = (wei: bigint) => wei - (wei % CENT_WEI)
const upToCent = (wei: bigint) => ((wei + CENT_WEI - 1n) / CENT_WEI) * CENT_WEI

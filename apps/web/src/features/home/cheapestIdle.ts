import { accruedWei } from '@rackfair/rules/prices/pricing'
import type { ModelPrice } from '@rackfair/sdk/http'

/** The cheapest idle machine of the market by its model, a GPU before a CPU, with what it costs an hour in wei. */
export function cheapestIdle(prices: readonly ModelPrice[]): { model: string; perHourWei: bigint } | undefined {
  for (const kind of ['gpu', 'cpu'] as const) {
    const offers = prices.flatMap((price) =>
      price.kind === kind && price.cheapestIdleWei !== null ? [{ model: price.model, rate: price.cheapestIdleWei }] : [],
    )
    const first = offers.reduce<(typeof offers)[number] | undefined>(
      (best, offer) => (best === undefined || offer.rate < best.rate ? offer : best),
      undefined,
    )
    if (first) return { model: first.model, perHourWei: accruedWei(first.rate, 3600n) }
  }
  return undefined
}

import { accruedWei } from '@rackfair/core'
import type { PricesAnswer } from '@rackfair/core/wire'

/** The cheapest idle machine of the market by its model, a GPU before a CPU, with what it costs an hour in wei. */
export function cheapestIdle(prices: PricesAnswer): { model: string; perHourWei: bigint } | undefined {
  for (const kind of ['gpu', 'cpu'] as const) {
    const offers = prices.models.flatMap((price) =>
      price.kind === kind && price.cheapestIdleRate !== null
        ? [{ model: price.model, rate: BigInt(price.cheapestIdleRate) }]
        : [],
    )
    const first = offers.reduce<(typeof offers)[number] | undefined>(
      (best, offer) => (best === undefined || offer.rate < best.rate ? offer : best),
      undefined,
    )
    if (first) return { model: first.model, perHourWei: accruedWei(first.rate, 3600n) }
  }
  return undefined
}

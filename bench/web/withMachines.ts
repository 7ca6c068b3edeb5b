import { type RunningMarket, startMarket } from '@rackfair/testkit'
import { startTestProvider } from '../../apps/web/e2e/TestProvider.ts'

/** A local market of its own with the production build of the web app and a few online machines. */
export async function withMachines(measure: (market: RunningMarket) => Promise<void>): Promise<void> {
  const market = await startMarket()
  try {
    const provider = await startTestProvider(market, 'helios', 8)
    await measure(market)
    provider.stop()
  } finally {
    await market.stop()
  }
}

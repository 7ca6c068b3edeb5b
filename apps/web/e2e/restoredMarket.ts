import { existsSync } from 'node:fs'
import { CHROMIUM, type RunningMarket, startMarket } from '@rackfair/testkit'

/** Names the state of a market that was stopped right after its first start. */
const STATE = 'RACKFAIR_E2E_MARKET'

/** Like `startMarket`, but the contracts are on its chain already. */
export function startRestoredMarket(options: Parameters<typeof startMarket>[0] = {}): Promise<RunningMarket> {
  const from = process.env[STATE]
  return startMarket({ ...options, ...(from ? { from } : {}) })
}

/** Playwright's global setup, before the workers, which inherit the environment: makes the state. Returns the teardown. */
export default async function makeState(): Promise<(() => Promise<void>) | undefined> {
  if (!existsSync(CHROMIUM)) return undefined
  const market = await startMarket()
  await market.end('SIGINT')
  process.env[STATE] = market.stateDir
  return market.stop
}

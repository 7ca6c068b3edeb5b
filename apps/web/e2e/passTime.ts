import type { Page } from '@playwright/test'
import type { RunningMarket } from '@rackfair/testkit'
import { createTestClient, http } from 'viem'

const passed = new Map<string, number>()

/**
 * Moves the clock of the chain forward, and that of pages loaded from now on. Use only after signing in: the platform's own clock stays,
 * and refuses messages from the future. A session lasts seven days in total.
 */
export async function passTime(page: Page, market: RunningMarket, seconds: number): Promise<void> {
  const all = (passed.get(market.rpcUrl) ?? 0) + seconds
  await passTimeOnChain(market, seconds)
  await page.clock.setSystemTime(Date.now() + all * 1000)
}

export async function passTimeOnChain(market: RunningMarket, seconds: number): Promise<void> {
  const chain = createTestClient({ mode: 'anvil', transport: http(market.rpcUrl) })
  await chain.increaseTime({ seconds })
  await chain.mine({ blocks: 1 })
  passed.set(market.rpcUrl, (passed.get(market.rpcUrl) ?? 0) + seconds)
}

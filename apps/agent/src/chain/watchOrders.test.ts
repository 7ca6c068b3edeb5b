import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setupVerify } from '../testing/setupVerify.ts'
import { watchOrders } from './watchOrders.ts'

const POLL_INTERVAL_MS = 100

describe('the watch over orders', () => {
  let market: Awaited<ReturnType<typeof setupVerify>>
  beforeAll(async () => {
    market = await setupVerify()
  })
  afterAll(() => market?.close())

  it('wakes the agent when one of its orders ends, not for anybody else’s, and survives a chain that goes away', async () => {
    const { buyer, provider, context, chain } = market
    const mine = await buyer.buy(provider, 1n)
    const other = await buyer.buy(provider, 2n)
    let woken = 0
    const watch = watchOrders(
      context.chain,
      () => new Set([mine]),
      () => {
        woken += 1
      },
      POLL_INTERVAL_MS,
    )
    await new Promise((resolve) => setTimeout(resolve, 500))
    await buyer.cancel(other)
    await new Promise((resolve) => setTimeout(resolve, 10 * POLL_INTERVAL_MS))
    expect(woken).toBe(0)
    await buyer.cancel(mine)
    await expect.poll(() => woken).toBe(1)
    await chain.stop()
    await new Promise((resolve) => setTimeout(resolve, 5 * POLL_INTERVAL_MS))
    expect(woken).toBe(1)
    watch.stop()
  })
})

import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { setupVerify } from '../../testing/setupVerify.ts'
import type { ChainView } from './chainView.ts'
import { watchOrders } from './watchOrders.ts'

const POLL_INTERVAL_MS = 100

describe('the order watch', () => {
  let market: Awaited<ReturnType<typeof setupVerify>>
  beforeAll(async () => {
    market = await setupVerify()
  })
  afterAll(() => market?.close())

  it('wakes the agent when one of its own orders ends, and survives an outage of the chain', async () => {
    const { buyer, provider, context, chain } = market
    const mine = await buyer.buy(provider, 1n)
    const other = await buyer.buy(provider, 2n)
    let woken = 0
    const heads = vi.spyOn(context.chain.client, 'getBlockNumber')
    onTestFinished(() => heads.mockRestore())
    /** Once it has looked twice more, it has also read what happened before. */
    const looks = async () => {
      const before = heads.mock.settledResults.length
      await expect.poll(() => heads.mock.settledResults.length).toBeGreaterThan(before + 2)
    }
    const watch = watchOrders(
      context.chain,
      () => new Set([mine]),
      () => {
        woken += 1
      },
      POLL_INTERVAL_MS,
    )
    await looks()
    await buyer.cancel(other)
    await looks()
    expect(woken).toBe(0)
    await buyer.cancel(mine)
    await expect.poll(() => woken).toBe(1)
    await chain.stop()
    await looks()
    expect(woken).toBe(1)
    watch.stop()
  })

  it('sends no second request to a slow chain, so that no late response overrides a newer one', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const answers: ((head: bigint) => void)[] = []
    const client = { getBlockNumber: () => new Promise<bigint>((resolve) => answers.push(resolve)) }
    const watch = watchOrders(
      { client } as unknown as ChainView,
      () => new Set(),
      () => {},
      POLL_INTERVAL_MS,
    )
    await vi.advanceTimersByTimeAsync(5 * POLL_INTERVAL_MS)
    expect(answers).toHaveLength(1)
    answers[0]?.(1n)
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS)
    expect(answers).toHaveLength(2)
    watch.stop()
  })
})

import { it } from 'vitest'
import { ORDER_STATUS } from '../ts/index.ts'
import { setupRandomMarket } from './setupRandomMarket.ts'

const HOUR = 3600
const seed = Number(BigInt(process.env.RACKFAIR_SEED ?? String(Math.floor(Math.random() * 2 ** 31))) % 2n ** 31n)
const steps = process.env.RACKFAIR_DEEP ? 3000 : 120

it(`runs random orders on a real chain with the results of packages/rules and the events (seed ${seed})`, {
  timeout: 3_600_000,
}, async () => {
  await using market = await setupRandomMarket(seed)
  const { random, pick, orders } = market
  for (let step = 0; step < steps; step += 1) {
    await market.pass(pick([1, 60, HOUR, 7 * HOUR, 26 * HOUR, 5 * 24 * HOUR, 20 * 24 * HOUR]))
    const live = [...orders].filter(([, order]) => order.status <= ORDER_STATUS.Active)
    if (live.length < 4) {
      await market.buy()
      continue
    }
    const [id, order] = pick(live)
    if (order.status === ORDER_STATUS.Created && random(4) > 0) await market.activate(id, order)
    else
      await pick([
        market.settle,
        market.settle,
        market.state,
        market.state,
        market.extend,
        market.cancel,
        market.drop,
        market.closeForDowntime,
      ])(id, order)
  }
  await market.compareWithEvents()
})

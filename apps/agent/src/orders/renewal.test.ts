import { purseAbi } from '@rackfair/contracts'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { OrderStatus } from '@rackfair/rules/order/status'
import { accruedWei } from '@rackfair/rules/prices/pricing'
import {
  buyOrder,
  contractCall,
  createPurse,
  depositToPurse,
  getBalances,
  getOrder,
  keepOrder,
  withdrawFromPurse,
  withPurse,
} from '@rackfair/sdk'
import { type Account, createTestClient, createWalletClient, http } from 'viem'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createRenewals } from '../chain/read/renewals.ts'
import { createOutbox } from '../chain/transactions/outbox.ts'
import { sayingLog } from '../foundation/log.ts'
import { fasterTimes } from '../foundation/times.ts'
import type { Runtime } from '../runtime/Runtime.ts'
import { setupVerify } from '../testing/setupVerify.ts'
import { createOrderManager } from './createOrderManager.ts'
import type { OrderManagerOptions } from './OrderManagerOptions.ts'

const HOUR = 3_600
const DAY = 24 * HOUR
const WINDOW = 6 * HOUR
const DAYS = 30
const MAX_TIP = ONE_CREDIT_WEI / 100n

let market: Awaited<ReturnType<typeof setupVerify>>
beforeAll(async () => {
  market = await setupVerify()
})
afterAll(() => market?.close())

/** An order of a purse, running since `startedAt`, that its owner keeps alive by days for 30 days. */
async function keptOrder(nodeId: number) {
  const { buyer, chain, provider } = market
  const { client, addresses, send } = buyer
  const { user } = chain.accounts
  const wallet = createWalletClient({ account: user as Account, transport: http(chain.rpcUrl) })
  const owner = { client, addresses, chainId: chain.chainId, purses: chain.deployment.purseFactory, wallet }
  const { purse } = await createPurse(owner)
  await depositToPurse(owner, purse, 2n * ONE_CREDIT_WEI)
  const { orderId } = await buyOrder(withPurse(owner, purse), { provider, nodeId, term: '1d' })
  await send(chain.accounts.provider, contractCall(addresses, 'market', 'activate', [orderId]))
  const { rate, activateTime: startedAt } = await getOrder(client, addresses, orderId)
  const until = startedAt + DAYS * DAY
  await keepOrder(owner, purse, orderId, { maxMonthWei: rate, maxTipWei: MAX_TIP, until, stepHours: 24 })
  return { owner, purse, orderId, rate, startedAt, until }
}

const holds = async (account: `0x${string}`) =>
  (await getBalances(market.buyer.client, market.buyer.addresses, account)).creditWei

async function startManager() {
  const { context, provider, chain } = market
  const { state } = context
  const quiet = async () => []
  const runtime: Partial<Runtime> = {
    ...{ check: async () => {}, remove: async () => {}, removeOutput: async () => {} },
    ...{ list: quiet, ordersWithData: quiet },
  }
  const [log, times] = [sayingLog(() => {}), fasterTimes(10)]
  const outbox = createOutbox({
    ...{ db: state.db, chain: context.chain, provider, account: chain.accounts.provider, log, times, onDone: async () => {} },
  })
  const manager = createOrderManager({
    ...{
      state,
      chain: context.chain,
      runtime: runtime as Runtime,
      outbox,
      verify: context,
      presets: context.presets,
      log,
      times,
    },
    ...{ renewals: createRenewals(context.chain, chain.deployment.purseFactory), onStatus: () => {} },
    ...{ gpus: { gpus: [], problemOf: () => undefined }, notes: { add: () => {}, remove: () => {} } },
  } as Partial<OrderManagerOptions> as OrderManagerOptions)
  onTestFinished(async () => {
    outbox.stop()
    await manager.stop()
  })
  return async () => {
    await manager.reconcile()
    await outbox.flush()
  }
}

it('renews an order of a purse for thirty days without its owner, to the wei, and no longer', async () => {
  const { client, addresses } = market.buyer
  const { purse, orderId, rate, startedAt, until } = await keptOrder(1)
  const before = { purse: await holds(purse), provider: await holds(market.provider) }
  const from = await client.getBlockNumber()
  const reconcile = await startManager()
  const control = createTestClient({ mode: 'anvil', transport: http(market.chain.rpcUrl) })
  const passUntil = async (timestamp: number) => {
    await control.setNextBlockTimestamp({ timestamp: BigInt(timestamp) })
    await control.mine({ blocks: 1 })
  }
  /** An agent reconciles until it is done. */
  const reconciled = (read: () => Promise<number>, wanted: number) =>
    expect.poll(() => reconcile().then(read), { timeout: 60_000, interval: 100 }).toBe(wanted)
  const endOf = async () => startedAt + (await getOrder(client, addresses, orderId)).duration

  await passUntil(startedAt + DAY - WINDOW - HOUR)
  await reconcile()
  expect(await endOf()).toBe(startedAt + DAY)
  for (let day = 1; day < DAYS; day += 1) {
    await passUntil(startedAt + day * DAY - WINDOW + HOUR)
    await reconciled(endOf, startedAt + (day + 1) * DAY)
    // Once: whoever looks again has nothing to do.
    if (day === 1) await reconcile()
  }
  await passUntil(until - HOUR)
  await reconcile()
  expect(await endOf()).toBe(until)
  await passUntil(until)
  await reconciled(async () => (await getOrder(client, addresses, orderId)).status, OrderStatus.Expired)

  const events = await client.getContractEvents({ address: purse, abi: purseAbi, eventName: 'Renewed', fromBlock: from })
  expect(events.length).toBe(DAYS - 1)
  let tips = 0n
  for (const [index, { args, blockNumber }] of events.entries()) {
    const { timestamp } = await client.getBlock({ blockNumber })
    const waited = timestamp - BigInt(startedAt + (index + 1) * DAY - WINDOW)
    expect(args).toMatchObject({ by: market.chain.accounts.provider.address, tip: (waited * MAX_TIP) / BigInt(WINDOW) })
    tips += args.tip ?? 0n
  }
  const days = accruedWei(rate, DAYS * DAY) - accruedWei(rate, DAY)
  expect(await holds(purse)).toBe(before.purse - days - tips)
  expect(await holds(market.provider)).toBe(before.provider + tips)
})

it('leaves alone what is no purse of this market, is not due, or cannot be paid', async () => {
  const { context, buyer, chain } = market
  const { owner, purse, orderId, startedAt } = await keptOrder(2)
  const ofPurse = await context.chain.order(orderId)
  const ofAccount = await context.chain.order(await buyer.buy(market.provider, 3n))
  if (!ofPurse || !ofAccount) throw new Error('no order')
  const { isDue } = createRenewals(context.chain, chain.deployment.purseFactory)
  const due = startedAt + DAY - WINDOW
  expect([await isDue(ofPurse, due - 1), await isDue(ofPurse, due), await isDue(ofPurse, startedAt + DAY)]).toEqual([
    ...[false, true, false],
  ])
  for (const factory of [undefined, context.provider])
    expect(await createRenewals(context.chain, factory).isDue(ofPurse, due)).toBe(false)
  const running = { ...ofAccount, activateTime: startedAt, duration: DAY }
  expect(await isDue(running, due)).toBe(false)
  await withdrawFromPurse(owner, purse, await holds(purse))
  expect(await isDue(ofPurse, due)).toBe(false)
  await keepOrder(owner, purse, orderId, undefined)
  await depositToPurse(owner, purse, ONE_CREDIT_WEI)
  expect(await isDue(ofPurse, due)).toBe(false)
})

import { contractCall } from '@rackfair/sdk'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OutboxCall } from '../chain/outbox.ts'
import type { Runtime } from '../runtime/Runtime.ts'
import { setupVerify } from '../testing/setupVerify.ts'
import { createOrderManager } from './createOrderManager.ts'
import type { OrderManagerOptions } from './OrderManagerOptions.ts'

const NODE = 1n

let market: Awaited<ReturnType<typeof setupVerify>>
beforeAll(async () => {
  market = await setupVerify()
})
afterAll(() => market?.close())

it('does not ask again for what the chain was told while it was being read', async () => {
  const { buyer, provider, chain, context } = market
  const orderId = await buyer.buy(provider, NODE)
  const setAvail = (avail: boolean) =>
    buyer.send(chain.accounts.provider, contractCall(buyer.addresses, 'registry', 'set_avail', [provider, NODE, avail]))
  await setAvail(true)
  const nothingRuns: Partial<Runtime> = { check: async () => {}, list: async () => [], ordersWithData: async () => [] }
  const wanted: OutboxCall[] = []
  let told = async () => {}
  const manager = createOrderManager({
    state: context.state,
    chain: {
      ...context.chain,
      async order(id: bigint) {
        const order = await context.chain.order(id)
        await told()
        return order
      },
    },
    runtime: nothingRuns as Runtime,
    outbox: { want: (call: OutboxCall) => wanted.push(call), flush: async () => {}, stop: () => {} },
    verify: context,
    log: () => {},
  } as Partial<OrderManagerOptions> as OrderManagerOptions)

  await manager.reconcile()
  expect(wanted).toEqual([{ kind: 'setAvail', orderId, nodeId: NODE, avail: false }])
  told = async () => {
    told = async () => {}
    await setAvail(false)
    await manager.refresh(orderId, NODE)
  }
  await manager.reconcile()
  expect(wanted).toHaveLength(1)
})

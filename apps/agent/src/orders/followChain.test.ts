import { lowerCaseAddress } from '@rackfair/rules/address'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { addNodeCall, contractCall } from '@rackfair/sdk'
import { createTestClient, http } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OutboxCall } from '../chain/transactions/outboxCalls.ts'
import { sayingLog } from '../foundation/log.ts'
import { fasterTimes } from '../foundation/times.ts'
import { createPortForwards } from '../runtime/createPortForwards.ts'
import type { Runtime, WorkloadState } from '../runtime/Runtime.ts'
import { nodeToList, setupVerify } from '../testing/setupVerify.ts'
import { createOrderManager } from './createOrderManager.ts'
import type { OrderManagerOptions } from './OrderManagerOptions.ts'

const NODE = 1n
const NGINX = 2

let orderId: bigint
/** What the outbox told the chain last. */
let toldApp: string | undefined
let market: Awaited<ReturnType<typeof setupVerify>>
beforeAll(async () => {
  market = await setupVerify()
})
afterAll(() => market?.close())

/** A manager with nothing running, whose requested transactions are recorded in `wanted`. */
function setup(told: { during: () => Promise<void> } = { during: async () => {} }, running: Partial<Runtime> = {}) {
  const { context } = market
  const quiet: Partial<Runtime> = {
    check: async () => {},
    list: async () => [],
    ordersWithData: async () => [],
    remove: async () => {},
    removeOutput: async () => {},
    ...running,
  }
  const wanted: OutboxCall[] = []
  const log = sayingLog(() => {})
  const manager = createOrderManager({
    state: context.state,
    chain: {
      ...context.chain,
      async order(id: bigint) {
        const order = await context.chain.order(id)
        await told.during()
        return order
      },
    },
    runtime: quiet as Runtime,
    forwards: createPortForwards({ range: null, host: '127.0.0.1', addressOf: () => undefined, log }),
    outbox: { enqueue: (call: OutboxCall) => wanted.push(call), flush: async () => {}, told: () => toldApp, stop: () => {} },
    verify: context,
    presets: context.presets,
    onStatus: () => {},
    promise: async () => undefined,
    notes: { add: () => {}, remove: () => {} },
    log,
    times: fasterTimes(10),
  } as Partial<OrderManagerOptions> as OrderManagerOptions)
  return { manager, wanted }
}

const setAvail = (avail: boolean) => {
  const { buyer, provider, chain } = market
  return buyer.send(chain.accounts.provider, contractCall(buyer.addresses, 'registry', 'set_avail', [provider, NODE, avail]))
}

it('reports nothing about an order it never accepted, which another agent may run', async () => {
  const { buyer, provider, chain } = market
  orderId = await buyer.buy(provider, NODE)
  await buyer.send(chain.accounts.provider, contractCall(buyer.addresses, 'market', 'activate', [orderId]))
  await setAvail(true)
  const { manager, wanted } = setup()
  await manager.reconcile()
  await manager.stop()
  expect(wanted).toEqual([])
})

it('does not resend what was reported while the chain was being read', async () => {
  putCommand(orderId, 0)
  const told = { during: async () => {} }
  const { manager, wanted } = setup(told)
  await manager.reconcile()
  const { market: address } = market.buyer.addresses
  await expect
    .poll(() => wanted)
    .toEqual([
      { kind: 'setAvail', orderId, nodeId: NODE, avail: false },
      { kind: 'setApp', orderId, market: address, app: '' },
    ])
  told.during = async () => {
    told.during = async () => {}
    await setAvail(false)
    toldApp = ''
    await manager.refresh(orderId, NODE)
  }
  await manager.reconcile()
  await manager.stop()
  expect(wanted).toHaveLength(2)
})

it('does not resend what was reported while an application was being probed', async () => {
  const { buyer, chain } = market
  putCommand(orderId, NGINX)
  let polls = 0
  const { manager, wanted } = setup(undefined, {
    find: async () => ({ deploymentId: `deployment of ${NGINX}`, running: true }) as WorkloadState,
    async probe() {
      polls += 1
      if (polls > 1) return true
      const told = contractCall(buyer.addresses, 'market', 'activateWithApp', [orderId, 'nginx'])
      await buyer.send(chain.accounts.provider, told)
      toldApp = 'nginx'
      await manager.refresh(orderId, NODE)
      return true
    },
  })
  await manager.reconcile()
  await expect.poll(() => polls).toBe(2)
  await manager.stop()
  expect(wanted).toEqual([])
})

it('settles a cancelled order where what it locks of the pledge keeps a node from being sold', async () => {
  const { buyer, chain } = market
  const { manager, wanted } = setup()
  await manager.reconcile()
  // So that something waits for reports.
  await createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl) }).increaseTime({ seconds: 3600 })
  await buyer.cancel(orderId)
  await manager.reconcile()
  expect((await market.context.chain.order(orderId))?.locked).toBeGreaterThan(0n)
  expect(wanted.filter(({ kind }) => kind === 'proSettle')).toEqual([])
  // A day of it costs more than is free.
  const dear = { ...nodeToList, pCPU: 40n * ONE_CREDIT_WEI }
  await buyer.send(chain.accounts.provider, addNodeCall(buyer.addresses, dear))
  await manager.reconcile()
  await manager.stop()
  expect(wanted).toContainEqual({ kind: 'proSettle', orderId, market: buyer.addresses.market })
})

/** The latest request of the order's user; `deployId` 0 is a clean. */
function putCommand(id: bigint, deployId: number): void {
  const { context, chain, provider } = market
  const user = lowerCaseAddress(chain.accounts.user.address)
  const requestedAt = Date.now()
  const deploymentId = `deployment of ${deployId}`
  const phase = deployId === 0 ? 'Cleaning' : 'Running'
  context.state.putDeployment({
    ...{ id: deploymentId, orderId: String(id), deployId, user, provider, requestedAt, visitUrl: null },
    ...{ phase, steps: [{ phase, at: requestedAt }] },
  })
  context.state.putCommand({
    ...{ orderId: id, deployId, deploymentId, user, time: 1, env: {}, slot: 0, gpus: [] },
    ...{ hasRun: deployId > 0, endedAt: undefined },
  })
}

import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@rackfair/rules/errors/AppError'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OutboxCall } from '../chain/transactions/outboxCalls.ts'
import { sayingLog } from '../foundation/log.ts'
import { fasterTimes } from '../foundation/times.ts'
import type { PortForwards } from '../runtime/createPortForwards.ts'
import type { Runtime } from '../runtime/Runtime.ts'
import { setupVerify } from '../testing/setupVerify.ts'
import { createOrderManager } from './createOrderManager.ts'
import type { OrderManagerOptions } from './OrderManagerOptions.ts'

const NGINX = 2

let market: Awaited<ReturnType<typeof setupVerify>>
beforeAll(async () => {
  market = await setupVerify(4)
})
afterAll(() => market?.close())

const nothingRuns: Partial<Runtime> = {
  ...{ check: async () => {}, list: async () => [], ordersWithData: async () => [] },
  ...{ find: async () => undefined, aside: async () => undefined },
}

const start = (runtime: Partial<Runtime>, more: Partial<OrderManagerOptions> = {}) => {
  const { context } = market
  const wanted: OutboxCall[] = []
  const added = new EventTarget()
  /** The first call of this kind, as soon as it is wanted. */
  const asked = (kind: OutboxCall['kind']) =>
    new Promise<OutboxCall>((resolve) => {
      const look = () => {
        const call = wanted.find((one) => one.kind === kind)
        if (call) resolve(call)
      }
      added.addEventListener('call', look)
      look()
    })
  const manager = createOrderManager({
    ...{ state: context.state, chain: context.chain, runtime: runtime as Runtime, verify: context, presets: context.presets },
    outbox: {
      enqueue: (call: OutboxCall) => {
        wanted.push(call)
        added.dispatchEvent(new Event('call'))
      },
      flush: async () => {},
      told: () => undefined,
      stop: () => {},
    },
    ...{
      log: sayingLog(() => {}),
      times: fasterTimes(10),
      onStatus: () => {},
      promise: async () => undefined,
      notes: { add: () => {}, remove: () => {} },
      visitUrl: () => 'http://127.0.0.1/',
      oversell: true,
      gpus: { gpus: [], problemOf: () => undefined },
      ...more,
    },
  } as Partial<OrderManagerOptions> as OrderManagerOptions)
  return { manager, wanted, asked }
}

const withoutImage: Partial<Runtime> = {
  ...nothingRuns,
  ensureImage: () => Promise.reject(new AppError('image_not_found', 'no such image')),
}

it('activates an order as soon as its machine is ready', async () => {
  const { buyer, provider } = market
  const orderId = await buyer.buy(provider, 1n)
  const order = await market.context.chain.order(orderId)
  const wishes = async (runtime: Partial<Runtime>) => {
    const { manager, wanted } = start(runtime)
    await manager.reconcile()
    return wanted
  }
  expect(await wishes({ ...nothingRuns, check: () => Promise.reject(new Error('no engine')) })).toEqual([])
  expect(await wishes(nothingRuns)).toEqual([{ kind: 'activate', orderId, market: order?.market }])
})

it('reports on chain an application that runs but never responds', async () => {
  const { buyer, provider, context } = market
  const orderId = await buyer.buy(provider, 2n)
  const silent: Partial<Runtime> = {
    ...nothingRuns,
    hasImage: async () => true,
    ensureImage: async () => 'image',
    create: async () => {},
    stop: async () => {},
    probe: async () => false,
    logs: async () => '',
    listening: async () => [{ address: '127.0.0.1', port: 80 }],
  }
  const running = {
    orderId,
    deploymentId: '',
    imageId: '',
    running: true,
    exitCode: 0,
    sandboxed: false,
    outOfMemory: false,
    endedAt: undefined,
    upstream: undefined,
    slot: 0,
  }
  let began = false
  silent.start = async () => {
    began = true
  }
  silent.find = async () => (began ? running : undefined)
  const { promise: seen, resolve: see } = Promise.withResolvers<unknown>()
  const onStatus: OrderManagerOptions['onStatus'] = ({ phase, details }) => details?.waiting && see([phase, details.waiting])
  const { manager, asked } = start(silent, { unansweredMs: 0, hintMs: 0, onStatus })
  await manager.reconcile()
  await manager.accept(await buyer.sign({ orderId, deployId: NGINX, provider }), 'platform')
  expect(await seen).toEqual(['Starting', { port: expect.any(Number), listens: [{ address: '127.0.0.1', port: 80 }] }])
  const order = await context.chain.order(orderId)
  expect(await asked('activateWithApp')).toEqual({ kind: 'activateWithApp', orderId, market: order?.market, app: 'nginx' })
  await manager.stop()
})

it('tries again with all orders, and not at once, to end what is left of an application that failed', async () => {
  const { buyer, provider } = market
  const orderId = await buyer.buy(provider, 3n)
  let stops = 0
  const { promise: failed, resolve: fail } = Promise.withResolvers<void>()
  const { manager } = start(
    {
      ...withoutImage,
      stop: async (id) => {
        if (id === orderId) stops += 1
        await sleep(1)
        throw new Error('it does not end')
      },
    },
    {
      onStatus: ({ phase }) => phase === 'Failed' && fail(),
      forwards: { close: () => {} } as Partial<PortForwards> as PortForwards,
    },
  )
  await manager.reconcile()
  await manager.accept(await buyer.sign({ orderId, deployId: NGINX, provider }), 'platform')
  await failed
  await expect.poll(() => stops).toBe(1)
  await sleep(100)
  expect(stops).toBe(1)
  await manager.reconcile()
  await expect.poll(() => stops).toBe(2)
  await manager.stop()
})

it('activates the order of an application that never starts', async () => {
  const { buyer, provider, context } = market
  const orderId = await buyer.buy(provider, 4n)
  const { promise: failed, resolve: fail } = Promise.withResolvers<void>()
  const { manager, wanted } = start(
    { ...withoutImage, stop: async () => {} },
    {
      onStatus: ({ phase }) => phase === 'Failed' && fail(),
      forwards: { close: () => {} } as Partial<PortForwards> as PortForwards,
    },
  )
  await manager.reconcile()
  await manager.accept(await buyer.sign({ orderId, deployId: NGINX, provider }), 'platform')
  await failed
  wanted.length = 0
  await manager.reconcile()
  const order = await context.chain.order(orderId)
  expect(wanted.filter((call) => call.orderId === orderId)).toEqual([{ kind: 'activate', orderId, market: order?.market }])
  await manager.stop()
})

import { registryAbi } from '@rackfair/contracts'
import pino from 'pino'
import { createTestClient, createWalletClient, type Hex, http } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../../foundation/log.ts'
import { fasterTimes } from '../../foundation/times.ts'
import { setupVerify } from '../../testing/setupVerify.ts'
import { createOutbox } from './outbox.ts'

const FAR_ABOVE_ANY_FEE = 100_000_000_000n
const NODES = 7n

describe('the outbox, when', () => {
  let market: Awaited<ReturnType<typeof setupVerify>>
  let orderId: bigint
  beforeAll(async () => {
    market = await setupVerify(Number(NODES) + 1)
    for (let nodeId = 1n; nodeId <= NODES; nodeId += 1n) orderId = await market.buyer.buy(market.provider, nodeId)
  })
  afterAll(() => market?.close())

  const control = () => createTestClient({ mode: 'anvil', transport: http(market.chain.rpcUrl) })
  const avail = async (nodeId: bigint) => (await market.context.chain.node(nodeId)).avail
  const mining = async (on: boolean) => {
    await control().setAutomine(on)
    await control().setIntervalMining({ interval: on ? 1 : 0 })
  }
  const waitingInThePool = async () => (await control().getTxpoolStatus()).pending

  const start = () => {
    const { context, provider, chain } = market
    const log: string[] = []
    const done: string[] = []
    const outbox = createOutbox({
      ...{ db: context.state.db, chain: context.chain, provider, account: chain.accounts.provider },
      log: createLog(
        pino(
          {},
          {
            write(line: string) {
              const { msg, reason = '', key } = JSON.parse(line) as Record<string, string>
              log.push(`${msg} ${reason}`.trim())
              if (msg === 'transaction done') done.push(String(key))
            },
          },
        ),
      ),
      times: fasterTimes(10),
      onDone: async () => {},
    })
    /** As the agent does at every reconciliation: requests what is missing on the chain, and leaves a failure to the next one. */
    const reconcile = async (nodeIds: readonly bigint[]) => {
      for (const nodeId of nodeIds)
        if (!(await avail(nodeId))) outbox.enqueue({ kind: 'setAvail', orderId: 0n, nodeId, avail: true })
      await outbox.flush().catch(() => {})
    }
    const untilAll = (nodeIds: readonly bigint[]) =>
      expect
        .poll(
          async () => {
            await reconcile(nodeIds)
            return Promise.all(nodeIds.map(avail))
          },
          { interval: 200 },
        )
        .toEqual(nodeIds.map(() => true))
    return { outbox, log, done, reconcile, untilAll, stop: outbox.stop }
  }

  it('a reorganisation removes the transaction before a pending one, resends both', async () => {
    const { log, reconcile, untilAll } = start()
    const before = await market.buyer.client.getBlockNumber()
    await reconcile([1n])
    expect(await avail(1n)).toBe(true)
    await mining(false)
    const waits = reconcile([2n])
    await expect.poll(waitingInThePool).toBe(1)
    const depth = Number((await market.buyer.client.getBlockNumber()) - before)
    await control().request({ method: 'anvil_reorg', params: [depth, []] } as never)
    await mining(true)
    await waits
    expect(await avail(1n)).toBe(false)
    await untilAll([1n, 2n])
    expect(log).toContain('a transaction waits for nothing and is given up the chain took back a transaction before it')
  })

  it('another process uses its nonce, resends', async () => {
    const { chain, provider, context } = market
    const { untilAll, reconcile } = start()
    await mining(false)
    const waits = reconcile([3n])
    await expect.poll(waitingInThePool).toBe(1)
    await createWalletClient({ account: chain.accounts.provider, transport: http(chain.rpcUrl) }).sendTransaction({
      ...{
        chain: null,
        to: provider,
        gas: 21_000n,
        nonce: await context.chain.client.getTransactionCount({ address: provider }),
      },
      ...{ maxFeePerGas: FAR_ABOVE_ANY_FEE, maxPriorityFeePerGas: FAR_ABOVE_ANY_FEE },
    })
    await mining(true)
    await waits
    expect(await avail(3n)).toBe(false)
    await untilAll([3n])
  })

  /** Raises the base fee above that of anything signed before, as many full blocks would; anvil then drops what it held. */
  const overtake = async () => {
    await control().setNextBlockBaseFeePerGas({ baseFeePerGas: FAR_ABOVE_ANY_FEE })
    await control().mine({ blocks: 1 })
  }
  const bytesOf = (hash: Hex) =>
    control().request({ method: 'eth_getRawTransactionByHash', params: [hash] } as never) as Promise<Hex>
  /** Like a node that keeps underpriced transactions for now. */
  const hold = async (bytes: Hex) => {
    await control().setNextBlockBaseFeePerGas({ baseFeePerGas: 1n })
    await market.context.chain.client.sendRawTransaction({ serializedTransaction: bytes })
  }
  const waiting = async () => {
    const { pending } = await control().getTxpoolContent()
    const [one] = Object.values(Object.entries(pending).find(([from]) => from.toLowerCase() === market.provider)?.[1] ?? {})
    return one && { nonce: Number(one.nonce), hash: one.hash, fee: BigInt(one.maxFeePerGas ?? 0) }
  }
  const changesOf = async (nodeId: bigint) => {
    const { client, addresses } = market.buyer
    const events = { address: addresses.registry, abi: registryAbi, eventName: 'NodeAvailSet', fromBlock: 0n } as const
    return (await client.getContractEvents({ ...events, args: { id: nodeId } })).length
  }

  it('full blocks outbid it, raises the price at the same nonce, even after a crash', async () => {
    const first = start()
    await mining(false)
    const waits = first.reconcile([4n])
    await expect.poll(waiting).toBeDefined()
    const before = await waiting()
    const bytes = await bytesOf(before?.hash as Hex)
    await overtake()
    await hold(bytes)
    await expect.poll(async () => (await waiting())?.fee ?? 0n).toBeGreaterThan(FAR_ABOVE_ANY_FEE)
    expect((await waiting())?.nonce).toBe(before?.nonce)
    first.stop()
    await waits
    const { log, untilAll } = start()
    await mining(true)
    await untilAll([4n])
    expect(await changesOf(4n)).toBe(1)
    expect(log).toEqual(['transaction done'])
  })

  it('the cheaper transaction is mined after all, counts it as done', async () => {
    const first = start()
    await mining(false)
    const waits = first.reconcile([5n])
    await expect.poll(waiting).toBeDefined()
    const bytes = await bytesOf((await waiting())?.hash as Hex)
    await overtake()
    await hold(bytes)
    await expect.poll(async () => (await waiting())?.fee ?? 0n).toBeGreaterThan(FAR_ABOVE_ANY_FEE)
    first.stop()
    await waits
    await control().dropTransaction({ hash: (await waiting())?.hash as Hex })
    await hold(bytes)
    await control().mine({ blocks: 1 })
    const { log, reconcile } = start()
    await reconcile([5n])
    await mining(true)
    expect(await avail(5n)).toBe(true)
    expect(log).toEqual(['transaction done'])
    expect(await changesOf(5n)).toBe(1)
  })

  it('an order is deployed and cleaned repeatedly, batches one deployment and throttles, but reports a clean at once', async () => {
    const { outbox, done } = start()
    const order = await market.context.chain.order(orderId)
    if (!order) throw new Error('no order')
    const told = { orderId, nodeId: NODES }
    const deployed = { kind: 'activateWithApp', orderId, market: order.market, app: 'nginx' } as const
    outbox.enqueue({ kind: 'activate', orderId, market: order.market })
    outbox.enqueue({ kind: 'setAvail', ...told, avail: false })
    outbox.enqueue({ kind: 'setApp', orderId, market: order.market, app: 'apache' })
    outbox.enqueue({ ...deployed, app: 'apache' })
    outbox.enqueue(deployed)
    await outbox.flush()
    expect(done).toEqual([`activateWithApp:${orderId}:nginx`])
    expect(await market.context.chain.order(orderId)).toMatchObject({ status: 2, deployed: true })
    expect(await market.buyer.appOf(orderId)).toBe('nginx')
    // The next process knows it too.
    expect(start().outbox.told(orderId)).toBe('nginx')
    const before = await changesOf(NODES)
    for (let round = 0; round < 12; round += 1) {
      // As the agent does: only what is not on the chain yet.
      if (round % 2 === 1) outbox.enqueue(deployed)
      else if (await avail(NODES)) outbox.enqueue({ kind: 'setAvail', ...told, avail: false })
      await outbox.flush()
      if (round % 2 === 0) expect(await avail(NODES)).toBe(false)
    }
    expect((await changesOf(NODES)) - before).toBeLessThanOrEqual(6)
  })

  it('an order is cleaned before its deployment is on chain, reports both', async () => {
    const { outbox, done } = start()
    const used = await market.buyer.buy(market.provider, NODES + 1n)
    const order = await market.context.chain.order(used)
    if (!order) throw new Error('no order')
    outbox.enqueue({ kind: 'activateWithApp', orderId: used, market: order.market, app: 'nginx' })
    outbox.enqueue({ kind: 'setAvail', orderId: used, nodeId: NODES + 1n, avail: false })
    await outbox.flush()
    expect(done).toEqual([`activateWithApp:${used}:nginx`, `setAvail:${NODES + 1n}:${used}:false`])
    expect(await market.context.chain.order(used)).toMatchObject({ deployed: true })
    expect(await avail(NODES + 1n)).toBe(false)
  })

  it('the node drops its transaction and refuses it afterwards, gives up, logs why and sends another', async () => {
    const { log, reconcile, untilAll } = start()
    await mining(false)
    const waits = reconcile([6n])
    await expect.poll(waiting).toBeDefined()
    await control().dropTransaction({ hash: (await waiting())?.hash as Hex })
    await overtake()
    await waits
    const again = reconcile([6n])
    await expect.poll(async () => (await waiting())?.fee ?? 0n).toBeGreaterThan(FAR_ABOVE_ANY_FEE)
    await mining(true)
    await again
    await untilAll([6n])
    expect(log).toContainEqual(
      expect.stringMatching(/^a transaction waits for nothing and is given up (the node forgot it|.*fee)/),
    )
    expect(await changesOf(6n)).toBe(1)
  })
})

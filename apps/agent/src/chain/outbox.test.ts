import { createTestClient, createWalletClient, http } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setupVerify } from '../testing/setupVerify.ts'
import { createOutbox } from './outbox.ts'

const FAR_ABOVE_ANY_FEE = 100_000_000_000n

describe('the outbox, while', () => {
  let market: Awaited<ReturnType<typeof setupVerify>>
  beforeAll(async () => {
    market = await setupVerify()
    for (const nodeId of [1n, 2n, 3n]) await market.buyer.buy(market.provider, nodeId)
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
    const outbox = createOutbox({
      ...{ state: context.state, chain: context.chain, provider, account: chain.accounts.provider },
      log: (message) => log.push(message),
      onDone: async () => {},
    })
    /** As the agent does at every look: what the chain lacks is asked for, and a failure is left for the next look. */
    const look = async (nodeIds: readonly bigint[]) => {
      for (const nodeId of nodeIds)
        if (!(await avail(nodeId))) outbox.want({ kind: 'setAvail', orderId: 0n, nodeId, avail: true })
      await outbox.flush().catch(() => {})
    }
    const untilAll = (nodeIds: readonly bigint[]) =>
      expect
        .poll(
          async () => {
            await look(nodeIds)
            return Promise.all(nodeIds.map(avail))
          },
          { timeout: 40_000, interval: 200 },
        )
        .toEqual(nodeIds.map(() => true))
    return { log, look, untilAll }
  }

  it('a reorganisation takes back the transaction before one that waits, sends both again', async () => {
    const { log, look, untilAll } = start()
    const before = await market.buyer.client.getBlockNumber()
    await look([1n])
    expect(await avail(1n)).toBe(true)
    await mining(false)
    const waits = look([2n])
    await expect.poll(waitingInThePool).toBe(1)
    const depth = Number((await market.buyer.client.getBlockNumber()) - before)
    await control().request({ method: 'anvil_reorg', params: [depth, []] } as never)
    await mining(true)
    await waits
    expect(await avail(1n)).toBe(false)
    await untilAll([1n, 2n])
    expect(log).toContain('a transaction waits behind a gap and is given up')
  })

  it('somebody else spends its nonce, sends again', async () => {
    const { chain, provider, context } = market
    const { untilAll, look } = start()
    await mining(false)
    const waits = look([3n])
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
})

import { MONTH_SECONDS } from '@rackfair/rules/duration'
import { publishMarket, startChain } from '@rackfair/testkit'
import { type Account, createPublicClient, createTestClient, createWalletClient, http, parseEther } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { type ContractCall, contractCall, readMarket } from './contractCall.ts'
import { readEarnings, readMarkets, withdrawCalls } from './earnings.ts'
import { marketOf, readAddresses } from './readAddresses.ts'
import { sendCall } from './sendCall.ts'
import { getBalances, quoteOrder } from './views.ts'
import { waitForReceipt } from './waitForReceipt.ts'

test('settles, lists and withdraws earnings of a draining Market next to those of the new one', async () => {
  const { client, access, send, warp, accounts } = await setup()
  const { provider, user, treasury } = accounts
  const before = await readAddresses(client, access)
  const first = await buy(1n)
  await send(provider, contractCall(before, 'market', 'activate', [first]))

  const next = await publishMarket({ rpcUrl: client.transport.url as string, access })
  const addresses = await readAddresses(client, access)
  expect(addresses.market).toBe(next)
  expect(await readMarkets(client, access)).toEqual([next, before.market])

  const second = await buy(2n)
  expect(second).toBeGreaterThan(first)
  await send(provider, contractCall(addresses, 'market', 'activate', [second]))
  await warp(10 * 86_400)
  for (const id of [first, second])
    await send(user, contractCall(addresses, 'market', 'proSettle', [id], await marketOf(client, access, id)))

  const earnings = await readEarnings(client, addresses, provider.address)
  expect(earnings.map(({ market }) => market)).toEqual([next, before.market])
  expect(earnings.every(({ earnedWei }) => earnedWei > parseEther('2'))).toBe(true)
  const has = async (account: Account) => (await getBalances(client, addresses, account.address)).creditWei
  const had = await has(provider)
  for (const call of withdrawCalls(addresses, earnings)) await send(provider, call)
  expect((await has(provider)) - had).toBe(earnings.reduce((sum, { earnedWei }) => sum + earnedWei, 0n))
  expect(withdrawCalls(addresses, await readEarnings(client, addresses, provider.address))).toEqual([])

  await warp(5 * 86_400)
  await send(user, contractCall(addresses, 'market', 'proSettle', [first], before.market))
  const late = await readEarnings(client, addresses, provider.address)
  expect(late.map(({ earnedWei }) => earnedWei > 0n)).toEqual([false, true])
  const [onlyOld, ...none] = withdrawCalls(addresses, late, treasury.address)
  expect([onlyOld?.address, none]).toEqual([before.market, []])
  const others = await has(treasury)
  await send(provider, onlyOld as ContractCall)
  expect((await has(treasury)) - others).toBe(late[1]?.earnedWei)

  async function buy(nodeId: bigint): Promise<bigint> {
    const now = await readAddresses(client, access)
    const { feeWei, rev, conditions } = await quoteOrder(client, now, provider.address, nodeId, MONTH_SECONDS)
    await send(user, contractCall(now, 'credit', 'approve', [now.market, feeWei]))
    const input = { provider: provider.address, nodeId, rev, duration: MONTH_SECONDS, maxFee: feeWei, conditions, app: '' }
    await send(user, contractCall(now, 'market', 'createOrder', [input]))
    return readMarket(client, now, 'market', 'lastId', [])
  }
})

/** A real chain with a pledged provider of two nodes and a funded buyer. */
async function setup() {
  const chain = await startChain()
  onTestFinished(() => chain.stop())
  const { accounts, deployment } = chain
  const transport = http(chain.rpcUrl)
  const client = createPublicClient({ transport, pollingInterval: 20, cacheTime: 0 })
  const tester = createTestClient({ mode: 'anvil', transport })
  const send = async (account: Account, call: ContractCall) =>
    waitForReceipt(client, await sendCall(client, createWalletClient({ account, transport }), call))
  const addresses = await readAddresses(client, deployment.access)
  for (const account of [accounts.provider, accounts.user])
    await send(accounts.faucet, contractCall(addresses, 'credit', 'transfer', [account.address, parseEther('1000')]))
  const place = { name: 'helios', ip: '203.0.113.7', domain: '', port: 7070 }
  await send(accounts.provider, contractCall(addresses, 'registry', 'register', [place]))
  for (let nodes = 0; nodes < 2; nodes += 1)
    await send(accounts.provider, contractCall(addresses, 'registry', 'add_node', [NODE]))
  await send(accounts.provider, contractCall(addresses, 'credit', 'approve', [addresses.pledge, parseEther('50')]))
  await send(accounts.provider, contractCall(addresses, 'pledge', 'pledge', [addresses.credit, parseEther('50')]))
  return {
    client,
    access: deployment.access,
    accounts,
    send,
    async warp(seconds: number) {
      await tester.increaseTime({ seconds })
      await tester.mine({ blocks: 1 })
    },
  }
}

const NODE = {
  cpuModel: 'Xeon Silver 4316',
  gpuModel: '',
  nCPU: 2,
  core: 20,
  nGPU: 0,
  nMEM: 0,
  nDISK: 0,
  pCPU: parseEther('43'),
  pGPU: 0n,
  pMEM: 0n,
  pDISK: 0n,
}

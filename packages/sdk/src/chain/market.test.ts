import { readFileSync } from 'node:fs'
import { deployMarket } from '@rackfair/contracts/deploy'
import { parseDeployConfig } from '@rackfair/contracts/deployConfig'
import { MONTH_SECONDS } from '@rackfair/rules/duration'
import { AppError } from '@rackfair/rules/errors/AppError'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { OrderStatus } from '@rackfair/rules/order/status'
import { developmentAccounts, startAnvil } from '@rackfair/testkit'
import {
  type Account,
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  custom,
  type Hash,
  HttpRequestError,
  http,
} from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buyOrder } from '../order/buyOrder.ts'
import { extensionOffer, permitRequest } from '../order/offers.ts'
import { readPaymentWay } from '../order/payOffer.ts'
import type { ChainReader } from './ChainReader.ts'
import { type ContractCall, contractCall, readMarket } from './contractCall.ts'
import { creditPermitMessage, permitArgument } from './creditPermit.ts'
import { type MarketAddresses, marketOf, readAddresses } from './readAddresses.ts'
import { sendCall } from './sendCall.ts'
import { getBalances, getNode, getOrder, getProvider, quoteCancel, quoteExtension, quoteOrder } from './views.ts'
import { waitForReceipt } from './waitForReceipt.ts'

let market: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  market = await setup()
})
afterAll(() => market.stop())

test('reads all contract addresses from Access', async () => {
  const { access, registry, pledge, credit, market: current } = market.addresses
  expect(await readAddresses(market.client, access)).toEqual({ access, registry, pledge, credit, market: current })
  expect(await marketOf(market.client, market.addresses.access, 1n)).toBe(market.addresses.market)
})

test('refuses an address without Access', async () => {
  await expect(readAddresses(market.client, market.user.address)).rejects.toMatchObject({ code: 'not_deployed_on_chain' })
})

test('lists a node, quotes it, buys it with one permit, and refunds it in full on cancel', async () => {
  const { client, addresses, provider, user, send } = market
  const nodeId = await market.listNode()
  expect(await getProvider(client, addresses, provider.address)).toMatchObject({ name: 'helios', port: 7070, exist: true })
  expect(await getNode(client, addresses, provider.address, nodeId)).toMatchObject({
    cpuModel: 'Xeon Silver 4316',
    exist: true,
    sold: false,
    rev: 1,
  })

  const { feeWei, rev, conditions } = await quoteOrder(client, addresses, provider.address, nodeId, MONTH_SECONDS)
  expect(feeWei).toBe(86n * ONE_CREDIT_WEI)
  const deadline = BigInt(Math.floor(Date.now() / 1000) + 86_400 * 365)
  const typed = await creditPermitMessage(client, addresses, {
    owner: user.address,
    spender: addresses.market,
    valueWei: feeWei,
    deadline,
    chainId: 2985,
  })
  const permit = permitArgument(feeWei, deadline, await user.signTypedData(typed))
  const input = { provider: provider.address, nodeId, rev, duration: MONTH_SECONDS, maxFee: feeWei, conditions, app: 'nginx' }
  const before = await getBalances(client, addresses, user.address)
  await send(user, contractCall(addresses, 'market', 'createOrderWithPermit', [input, permit]))

  const order = await getOrder(client, addresses, 1n)
  expect(order).toMatchObject({
    id: 1n,
    user: user.address,
    status: OrderStatus.Created,
    totalValue: feeWei,
    remain: feeWei,
  })
  expect((await getBalances(client, addresses, user.address)).creditWei).toBe(before.creditWei - feeWei)
  expect(await quoteExtension(client, addresses, 1n, MONTH_SECONDS)).toBe(feeWei)
  expect(await quoteCancel(client, addresses, 1n, false)).toEqual({
    toUser: feeWei,
    toProvider: 0n,
    commission: 0n,
    compensation: 0n,
    pending: 0n,
  })

  await send(user, contractCall(addresses, 'market', 'userCancel', [1n]))
  expect((await getBalances(client, addresses, user.address)).creditWei).toBe(before.creditWei)
  expect((await getOrder(client, addresses, 1n)).status).toBe(OrderStatus.UserCancelled)
})

test('simulates a call, sends it with a gas margin, and finds it on chain', async () => {
  const { client, addresses, user } = market
  const call = contractCall(addresses, 'credit', 'approve', [addresses.market, 7n])
  const hash = await sendCall(client, market.wallet(user), call)
  const receipt = await waitForReceipt(client, hash)
  const sent = await client.getTransaction({ hash })
  expect([receipt.status, sent.from, sent.gas > receipt.gasUsed]).toEqual(['success', user.address.toLowerCase(), true])
  expect(await readMarket(client, addresses, 'credit', 'allowance', [user.address, addresses.market])).toBe(7n)
})

test('has gas for interest that starts after the estimate', async () => {
  const { client, addresses, owner, provider, user, send, test: chain } = market
  const pledge = 10n * ONE_CREDIT_WEI
  await send(owner, contractCall(addresses, 'credit', 'mint', [owner.address, pledge]))
  await send(owner, contractCall(addresses, 'credit', 'approve', [addresses.pledge, pledge]))
  await send(owner, contractCall(addresses, 'pledge', 'fundInterest', [pledge]))
  await send(user, contractCall(addresses, 'credit', 'approve', [addresses.pledge, pledge]))
  const wallet = market.wallet(user)
  // Within the same second, what the purchase locks bears no interest.
  await chain.setIntervalMining({ interval: 0 })
  await chain.setAutomine(true)
  await chain.setBlockTimestampInterval({ interval: 0 })
  try {
    await buyOrder({ client, wallet, chainId: 2985, addresses }, { provider: provider.address, nodeId: 1n, months: 1 })
    await chain.setAutomine(false)
    const hash = await sendCall(client, wallet, contractCall(addresses, 'pledge', 'pledge', [addresses.credit, pledge]))
    await chain.setBlockTimestampInterval({ interval: 5 })
    await chain.mine({ blocks: 1 })
    expect(await waitForReceipt(client, hash)).toMatchObject({ status: 'success' })
    expect(await readMarket(client, addresses, 'pledge', 'owed', [])).toBeGreaterThan(0n)
  } finally {
    await chain.removeBlockTimestampInterval()
    await chain.setAutomine(true)
    await chain.setIntervalMining({ interval: 1 })
  }
})

test('reports a custom error by its name and arguments, before anything is signed', async () => {
  const { client, addresses, user } = market
  const call = contractCall(addresses, 'market', 'userCancel', [999n])
  const error = await sendCall(client, market.wallet(user), call).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(AppError)
  expect(error).toMatchObject({ code: 'OrderNotFound', facts: { id: '999' }, retryable: false })
})

test('refuses to send from a wallet without an account', async () => {
  const { client, addresses } = market
  const call = contractCall(addresses, 'market', 'userCancel', [999n])
  await expect(sendCall(client, client, call)).rejects.toThrow('no account to send from')
})

test('pays an extension in the Market of the order, with or without a permit', async () => {
  const { client, addresses } = market
  const { plain, withPermit, ...price } = await extensionOffer(
    { client, addresses },
    { orderId: 1n, moreSeconds: 60, feeWei: 5n },
  )
  expect(price).toEqual({ feeWei: 5n, spender: addresses.market })
  const permit = permitArgument(5n, 9n, `0x${'11'.repeat(64)}1b`)
  expect(plain).toMatchObject({ address: addresses.market, functionName: 'extend', args: [1n, 60] })
  expect(withPermit(permit)).toMatchObject({
    address: addresses.market,
    functionName: 'extendWithPermit',
    args: [1n, 60, permit],
  })
})

test('reports the reason of a transaction that reverts on chain', async () => {
  const { client, addresses, user } = market
  const call = contractCall(addresses, 'credit', 'transfer', [addresses.market, 10n ** 40n])
  const hash = await market.wallet(user).writeContract({ ...call, gas: 200_000n, chain: null } as never)
  await expect(waitForReceipt(client, hash)).rejects.toMatchObject({
    code: 'transaction_reverted',
    facts: { reason: 'ERC20InsufficientBalance', hash, needed: String(10n ** 40n) },
  })
})

test('reports a transaction that ran out of gas', async () => {
  const { client, addresses, user } = market
  const call = contractCall(addresses, 'credit', 'approve', [addresses.registry, 7n])
  const hash = await market.wallet(user).writeContract({ ...call, gas: 30_000n, chain: null } as never)
  await expect(waitForReceipt(client, hash)).rejects.toMatchObject({
    code: 'transaction_reverted',
    facts: { reason: 'out of gas', hash },
  })
})

test.each<[string, (wallet: Address) => { to: Address; value: bigint }]>([
  ['replaced', () => ({ to: market.provider.address, value: 2n })],
  ['cancelled', (wallet) => ({ to: wallet, value: 0n })],
])('stops waiting for a transaction that its wallet %s', async (how, other) => {
  const { client, user, test: chain } = market
  const wallet = market.wallet(user)
  await chain.setAutomine(false)
  await chain.setIntervalMining({ interval: 0 })
  try {
    const nonce = await client.getTransactionCount({ address: user.address })
    const hash = await wallet.sendTransaction({ to: user.address, value: 1n, nonce, chain: null, gasPrice: 10n ** 10n })
    const { watched, seen } = watchedClient(market.rpcUrl, 'eth_getTransactionByHash')
    const waiting = waitForReceipt(watched, hash)
    waiting.catch(() => {})
    await seen
    const by = await wallet.sendTransaction({ ...other(user.address), nonce, chain: null, gasPrice: 10n ** 11n })
    await chain.mine({ blocks: 1 })
    await expect(waiting).rejects.toMatchObject({
      ...{ code: 'transaction_replaced', message: expect.stringContaining(how), facts: { hash, by } },
    })
  } finally {
    await chain.setAutomine(true)
    await chain.setIntervalMining({ interval: 1 })
  }
})

test('keeps waiting for a transaction through an outage of the chain', async () => {
  const { client, user } = market
  const hash = await market.wallet(user).sendTransaction({ to: user.address, chain: null })
  await waitForReceipt(client, hash)
  const outage = clientWithout('eth_getTransactionReceipt')
  const waiting = waitForReceipt(outage.client, hash)
  await Promise.race([outage.askedAgain, waiting])
  outage.end()
  expect((await waiting).transactionHash).toBe(hash)
})

test('reports an unknown result after an outage that lasts too long', async () => {
  const hash = await market.wallet(market.user).sendTransaction({ to: market.user.address, chain: null })
  const { client } = clientWithout('eth_getTransactionReceipt')
  await expect(waitForReceipt(client, hash, { timeoutMs: 300 })).rejects.toMatchObject({ code: 'transaction_unknown' })
})

test('reports a chain that does not answer as unreachable and retryable', async () => {
  const client = createPublicClient({ transport: http('http://127.0.0.1:9', { retryCount: 0 }) })
  await expect(readMarket(client, market.addresses, 'registry', 'gInfo', [])).rejects.toMatchObject({
    code: 'rpc_unreachable',
    retryable: true,
  })
})

test.each<[method: string, read: (client: ChainReader) => Promise<unknown>]>([
  ['eth_getBalance', (client) => getBalances(client, market.addresses, market.user.address)],
  ['eth_getCode', (client) => readPaymentWay(on(client), market.user, price())],
  ['eth_getBlockByNumber', (client) => permitRequest(on(client), market.user.address, price())],
])('reports a chain that does not answer %s as unreachable', async (method, read) => {
  await expect(read(clientWithout(method).client)).rejects.toMatchObject({ code: 'rpc_unreachable', retryable: true })
})

const on = (client: ChainReader) => ({ client, addresses: market.addresses, chainId: 2985 })
const price = () => ({ spender: market.addresses.market, feeWei: 1n })

/** A client, and a promise of its first response to `method`: a replacement is only recognised once the original has been read. */
function watchedClient(rpcUrl: string, method: string) {
  const { promise: seen, resolve } = Promise.withResolvers<void>()
  const watched = createPublicClient({
    pollingInterval: 50,
    cacheTime: 0,
    transport: custom({
      request: async ({ method: asked, params }) => {
        const answer = await createPublicClient({ transport: http(rpcUrl) }).request({ method: asked, params } as never)
        if (asked === method) resolve()
        return answer
      },
    }),
  })
  return { watched, seen }
}

/** A client that gets no response to `method` until the outage ends. */
function clientWithout(method: string) {
  const askedAgain = Promise.withResolvers<void>()
  let over = false
  let refused = 0
  const client = createPublicClient({
    pollingInterval: 50,
    cacheTime: 0,
    transport: custom(
      {
        request: async (asked) => {
          if (asked.method !== method || over) return market.client.request(asked as never)
          refused += 1
          // viem ignores the first refusal and gives up at the second.
          if (refused === 3) askedAgain.resolve()
          throw new HttpRequestError({ url: market.rpcUrl })
        },
      },
      { retryCount: 0 },
    ),
  })
  const end = () => {
    over = true
  }
  return { client, askedAgain: askedAgain.promise, end }
}

async function setup() {
  const anvil = await startAnvil()
  const transport = http(anvil.rpcUrl)
  const client = createPublicClient({ transport, pollingInterval: 50, cacheTime: 0 })
  const test = createTestClient({ mode: 'anvil', transport })
  const { owner, user, otherProvider: provider } = developmentAccounts()
  const wallet = (account: Account) => createWalletClient({ account, transport })
  const config = parseDeployConfig(
    JSON.parse(readFileSync(new URL('../../../../contracts/script/config/2985.json', import.meta.url), 'utf8')),
  )
  const {
    chainId: _,
    fromBlock: __,
    usdt: ___,
    gate: ____,
    ...addresses
  } = await deployMarket({
    publicClient: client as never,
    walletClient: wallet(owner),
    config,
  })

  const send = async (account: Account, call: ContractCall): Promise<Hash> => {
    const hash = await sendCall(client, wallet(account), call)
    await waitForReceipt(client, hash)
    return hash
  }
  for (const account of [user, provider]) {
    await send(owner, contractCall(addresses as MarketAddresses, 'credit', 'mint', [account.address, 10_000n * ONE_CREDIT_WEI]))
  }
  const listNode = async (): Promise<bigint> => {
    const market = addresses as MarketAddresses
    const pledge = 10n * ONE_CREDIT_WEI
    await send(
      provider,
      contractCall(market, 'registry', 'register', [{ name: 'helios', ip: '203.0.113.7', domain: '', port: 7070 }]),
    )
    const node = { cpuModel: 'Xeon Silver 4316', gpuModel: '', nCPU: 2, core: 20, nGPU: 0, nMEM: 64, nDISK: 500 }
    const prices = { pCPU: 43n * ONE_CREDIT_WEI, pGPU: 0n, pMEM: 0n, pDISK: 0n }
    await send(provider, contractCall(market, 'registry', 'add_node', [{ ...node, ...prices }]))
    await send(provider, contractCall(market, 'credit', 'approve', [market.pledge, pledge]))
    await send(provider, contractCall(market, 'pledge', 'pledge', [market.credit, pledge]))
    return 1n
  }
  return {
    rpcUrl: anvil.rpcUrl,
    client,
    test,
    wallet,
    owner,
    user,
    provider,
    addresses: addresses as MarketAddresses,
    send,
    listNode,
    stop: anvil.stop,
  }
}

import { MONTH_SECONDS } from '@rackfair/rules/duration'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { type Chain, publishMarket, reportDowntime, startChain } from '@rackfair/testkit'
import { type Account, type Address, createClient, createTestClient, http, type LocalAccount, maxUint256, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { getBalance, getBlock, getCode, getTransactionCount, sendTransaction, signAuthorization } from 'viem/actions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPurse } from '../actions/createPurse.ts'
import { depositToPurse } from '../actions/depositToPurse.ts'
import { grantKey } from '../actions/grantKey.ts'
import { readPurse } from '../actions/readPurse.ts'
import { withPurse } from '../actions/withPurse.ts'
import { contractCall } from '../chain/contractCall.ts'
import { isSignedBy } from '../chain/isSignedBy.ts'
import { readAddresses } from '../chain/readAddresses.ts'
import { sendCall } from '../chain/sendCall.ts'
import { getBalances, getOrder } from '../chain/views.ts'
import { waitForReceipt } from '../chain/waitForReceipt.ts'
import { addNodeCall, pledgeCall, registerCall, setMinTermCall, setOperatorCall } from '../provider/calls.ts'
import { signAsUser } from '../purse/asUser.ts'
import { isSignedByProvider } from '../workspace/isSignedByProvider.ts'
import { boughtOnce, buyOnce } from './buyOnce.ts'
import { buyOrder, extendOrder, quote } from './buyOrder.ts'
import { cancelOrder, closeForDowntime, previewCancel, releaseOrder } from './cancelOrder.ts'
import { moveOrder, previewMove } from './moveOrder.ts'
import type { SentTransaction } from './payFromKey.ts'

let market: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  market = await setup()
})
afterAll(() => market.chain.stop())

const price = 86n * ONE_CREDIT_WEI

test('buys an order in one transaction, extends it, and refunds the unused part on cancel', async () => {
  const { payer, user, on } = market
  const node = await on()
  const sent: string[] = []
  const count = await market.sentBy(user)
  const onSent = ({ step, hash }: SentTransaction) => sent.push(`${step} ${hash}`)
  const bought = await buyOrder(payer, { ...node, months: 2 }, { maxPriceWei: 2n * price, onSent })
  expect(bought.feeWei).toBe(2n * price)
  expect(sent).toEqual([`pay ${bought.hash}`])
  expect((await market.sentBy(user)) - count).toBe(1)

  await market.send(market.provider, contractCall(payer.addresses, 'market', 'activate', [bought.orderId]))
  const extension = { orderId: bought.orderId, months: 1 }
  await expect(extendOrder(payer, extension, { maxPriceWei: price - 1n })).rejects.toMatchObject({ code: 'FeeTooHigh' })
  const extended = await extendOrder(payer, extension, { maxPriceWei: price })
  expect(extended).toMatchObject({ orderId: bought.orderId, feeWei: price, duration: 3 * MONTH_SECONDS })

  // Each second since the activation is charged.
  const most = 3n * price
  const least = most - price / 100n
  const { toUser } = await previewCancel(payer, bought.orderId)
  expect(toUser <= most && toUser > least).toBe(true)
  const before = (await getBalances(payer.client, payer.addresses, user.address)).creditWei
  const { refundedWei, hash } = await cancelOrder(payer, bought.orderId, { onSent })
  expect(sent.slice(1)).toEqual([`pay ${hash}`])
  expect((await getBalances(payer.client, payer.addresses, user.address)).creditWei).toBe(before + refundedWei)
  expect(refundedWei <= most && refundedWei > least).toBe(true)
  await expect(cancelOrder(payer, bought.orderId)).rejects.toMatchObject({ code: 'WrongStatus' })
})

test('buys an hour, which anybody extends, and pays for the seconds of it that were used', async () => {
  const { payer, payerOf, provider, send, on } = market
  const node = await on()
  const hour = await buyOrder(payer, { ...node, term: '1h' })
  expect(hour.feeWei).toBe(price / 720n)
  await send(provider, contractCall(payer.addresses, 'market', 'activate', [hour.orderId]))
  const other = payerOf(provider)
  const longer = await extendOrder(other, { orderId: hour.orderId, term: 5_400 })
  expect(longer).toMatchObject({ orderId: hour.orderId, duration: 9_000 })
  const { user, totalValue } = await getOrder(payer.client, payer.addresses, hour.orderId)
  expect([user, totalValue]).toEqual([market.user.address, (price * 9_000n) / BigInt(MONTH_SECONDS)])
  await market.pass(9_000 + 86_400)
  await send(provider, contractCall(payer.addresses, 'market', 'proSettle', [hour.orderId]))
  expect(await getOrder(payer.client, payer.addresses, hour.orderId)).toMatchObject({ status: 3, remuneration: totalValue })
})

test('buys the shortest time that a machine is sold for, where nothing else is asked for', async () => {
  const { payer, provider, send, on } = market
  const node = await on()
  expect(await quote(payer, node)).toMatchObject({ duration: 3_600, feeWei: price / 720n })
  await send(provider, setMinTermCall(payer.addresses, node.provider, node.nodeId, 86_400))
  const day = await buyOrder(payer, node)
  expect([day.feeWei, (await getOrder(payer.client, payer.addresses, day.orderId)).duration]).toEqual([price / 30n, 86_400])
})

test.each([
  [{ term: '59min' }, 'bad_request'],
  [{ term: 3_600.5 }, 'bad_request'],
  [{ term: 'an hour' }, 'bad_request'],
  [{ term: '121 months' }, 'bad_request'],
  [{ months: 1.5 }, 'bad_request'],
  [{ term: '23h' }, 'DurationOutOfBounds'],
] as const)('refuses %j before anything is signed', async (term, code) => {
  const { payer, provider, user, send, on } = market
  const node = await on()
  await send(provider, contractCall(payer.addresses, 'registry', 'setMinTerm', [provider.address, node.nodeId, 86_400]))
  const count = await market.sentBy(user)
  await expect(buyOrder(payer, { ...node, ...term })).rejects.toMatchObject({ code })
  expect(await market.sentBy(user)).toBe(count)
})

test('signs a permit that is valid on a chain whose clock is ahead', async () => {
  const { payer, user, on } = market
  const node = await on()
  const control = createTestClient({ mode: 'anvil', transport: http(market.chain.rpcUrl) })
  await control.increaseTime({ seconds: 2 * 86_400 })
  await control.mine({ blocks: 1 })
  const count = await market.sentBy(user)
  await buyOrder(payer, { ...node, months: 1 })
  expect((await market.sentBy(user)) - count).toBe(1)
})

test('refuses a price above the maximum before anything is signed or sent', async () => {
  const { payer, user, on } = market
  const node = await on()
  const count = await market.sentBy(user)
  const most = { maxPriceWei: price - 1n }
  await expect(buyOrder(payer, { ...node, months: 1 }, most)).rejects.toMatchObject({
    code: 'FeeTooHigh',
    facts: { fee: String(price), maxFee: String(price - 1n) },
  })
  await expect(buyOrder(payer, { ...node, months: 121 })).rejects.toMatchObject({ code: 'bad_request' })
  await expect(buyOrder(payer, { ...node, months: 1 }, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  })
  expect(await market.sentBy(user)).toBe(count)
})

test('refuses a node that changed since its quote', async () => {
  const { payer, on } = market
  const node = await on()
  const seen = await quote(payer, { ...node, months: 1 })
  await market.change(node.nodeId)
  await expect(buyOrder(payer, { ...node, months: 1 }, { quote: seen })).rejects.toMatchObject({ code: 'StaleNode' })
})

test('tells an account without enough Credit what is missing', async () => {
  const poor = privateKeyToAccount(generatePrivateKey())
  const payer = market.payerOf(poor)
  await expect(buyOrder(payer, { ...(await market.on()), months: 1 })).rejects.toMatchObject({
    code: 'insufficient_credit',
    facts: { neededWei: String(price), haveWei: '0' },
  })
})

test('buys once with a purse under a name, whoever asks again and however often at once', async () => {
  const { chain, payer, payerOf, send, on } = market
  const owner = { ...payer, purses: chain.deployment.purseFactory }
  const { purse } = await createPurse(owner)
  await depositToPurse(owner, purse, 5n * price)
  const account = privateKeyToAccount(generatePrivateKey())
  await sendTransaction(payer.wallet, { account: market.user, to: account.address, value: parseEther('1'), chain: null })
  await expect.poll(async () => getBalance(payer.client, account), { timeout: 60_000 }).toBe(parseEther('1'))
  await grantKey(owner, purse, account.address, { totalWei: 5n * price, validUntil: 2 ** 39 })
  const key = withPurse(payerOf(account), purse)
  const left = async () => (await readPurse(owner, purse)).keys[0]?.leftWei

  expect(await boughtOnce(key, 'build 812')).toBeUndefined()
  const machines = [await on(), await on(), await on()]
  const asks = machines.map((node) => buyOnce(key, 'build 812', { ...node, months: 1 }))
  const answers = (await Promise.allSettled(asks)).flatMap((one) => (one.status === 'fulfilled' ? [one.value.orderId] : []))
  const { orderId } = await buyOnce(key, 'build 812', { ...(await on()), months: 1 }, { maxPriceWei: 1n })
  expect(new Set(answers)).toEqual(new Set([orderId]))
  expect(await left()).toBe(4n * price)

  await send(market.provider, contractCall(payer.addresses, 'market', 'activate', [orderId]))
  await cancelOrder(key, orderId)
  expect(await buyOnce(key, 'build 812', { ...(await on()), months: 1 })).toEqual({ orderId, bought: undefined })
  const next = await buyOnce(key, 'build 813', { ...(await on()), months: 1 })
  expect(next).toMatchObject({ bought: { orderId: next.orderId, feeWei: price } })
  expect(next.orderId).not.toBe(orderId)
  // Without a purse nobody remembers the name.
  await expect(buyOnce(payer, 'build 814', { ...(await on()), months: 1 })).rejects.toMatchObject({ code: 'bad_request' })
})

test('lets anyone close an order whose node was away for a day, and pays its buyer out of the pledge', async () => {
  const { payer, user, provider, payerOf, on, pass, report } = market
  const stranger = payerOf(market.chain.accounts.faucet)
  const { orderId } = await buyOrder(payer, { ...(await on()), months: 1 })
  await market.send(provider, contractCall(payer.addresses, 'market', 'activateWithApp', [orderId, 'nginx']))
  await pass(HOUR)
  const up = await report(orderId, 0)
  await expect(closeForDowntime(stranger, orderId)).rejects.toMatchObject({ code: 'NotDownForADay' })
  // A settlement pays what is final before a report counts, so monitors report more often than that.
  for (let reports = 0; reports < 3; reports += 1) {
    await pass(8 * HOUR + 60)
    await report(orderId, (at) => at - up)
  }

  const { creditedTwice } = await getOrder(payer.client, payer.addresses, orderId)
  const { toUser, compensation } = await previewCancel(payer, orderId)
  const before = (await getBalances(payer.client, payer.addresses, user.address)).creditWei
  const { refundedWei, compensatedWei } = await closeForDowntime(stranger, orderId)
  expect((await getBalances(payer.client, payer.addresses, user.address)).creditWei).toBe(before + refundedWei + compensatedWei)
  expect(refundedWei + compensatedWei).toBe(toUser)
  // One day of the price was promised at the purchase; part of it was paid with the reports.
  expect(creditedTwice).toBeGreaterThan(0)
  expect(compensatedWei).toBe(price / 30n - (price * BigInt(creditedTwice)) / BigInt(MONTH_SECONDS))
  expect(compensation).toBe(compensatedWei)
  // The provider keeps the hour that it served, and nothing for the day that it was away.
  const { remuneration } = await getOrder(payer.client, payer.addresses, orderId)
  expect(remuneration >= price / 720n && remuneration < (price * 2n) / 720n).toBe(true)
  await expect(closeForDowntime(stranger, orderId)).rejects.toMatchObject({ code: 'WrongStatus' })
})

test('pays the price of an hour for a missed start, whoever closes the order', async () => {
  const { payer, user, payerOf, on, pass } = market
  const stranger = payerOf(market.chain.accounts.faucet)
  const { orderId: first } = await buyOrder(payer, { ...(await on()), months: 1 })
  const { orderId: second } = await buyOrder(payer, { ...(await on()), months: 1 })
  await expect(releaseOrder(stranger, first)).rejects.toMatchObject({ code: 'WrongStatus' })
  expect(await previewCancel(payer, first)).toMatchObject({ toUser: price, compensation: 0n })
  await pass(24 * HOUR)
  const hour = price / 720n
  expect(await previewCancel(payer, first)).toMatchObject({ toUser: price + hour, compensation: hour })
  const before = (await getBalances(payer.client, payer.addresses, user.address)).creditWei
  expect(await cancelOrder(payer, first)).toMatchObject({ refundedWei: price, compensatedWei: hour })
  expect(await releaseOrder(stranger, second)).toMatchObject({ refundedWei: price, compensatedWei: hour })
  expect((await getBalances(payer.client, payer.addresses, user.address)).creditWei).toBe(before + 2n * (price + hour))
  await expect(releaseOrder(stranger, second)).rejects.toMatchObject({ code: 'WrongStatus' })
})

test('lets delegated accounts (EIP-7702) buy, provide and operate by their keys, though their code knows no signature', async () => {
  const { chain, payerOf, send } = market
  const { faucet } = chain.accounts
  const control = createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl) })
  const { client, addresses } = market.payer
  const wallet = payerOf(faucet).wallet
  const deploying = await sendTransaction(wallet, { account: faucet, chain: null, data: DENYING_WALLET } as never)
  const denies = (await waitForReceipt(client, deploying)).contractAddress as Address
  const delegated = async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    await control.setBalance({ address: account.address, value: parseEther('10') })
    await send(faucet, contractCall(addresses, 'credit', 'transfer', [account.address, parseEther('1000')]))
    const own = payerOf(account)
    const delegation = await signAuthorization(own.wallet, { account, contractAddress: denies, executor: 'self' })
    const change = { account, chain: null, to: account.address, authorizationList: [delegation] }
    await waitForReceipt(client, await sendTransaction(own.wallet, change as never))
    expect(await getCode(client, { address: account.address })).toBe(`0xef0100${denies.slice(2).toLowerCase()}`)
    return account
  }
  const [provider, operator, buyer] = [await delegated(), await delegated(), await delegated()]

  await send(provider, registerCall(addresses, { name: 'delegated', ip: '203.0.113.8', domain: '', port: 7070 }))
  await send(provider, contractCall(addresses, 'credit', 'approve', [addresses.pledge, maxUint256]))
  await send(provider, pledgeCall(addresses, parseEther('500')))
  await send(provider, addNodeCall(addresses, NODE))
  await send(provider, setOperatorCall(addresses, operator.address))

  const payer = { ...payerOf(buyer), purses: chain.deployment.purseFactory }
  const machine = { provider: provider.address, nodeId: 1n }
  const count = await market.sentBy(buyer)
  const { orderId } = await buyOrder(payer, { ...machine, term: '1 day' })
  await send(operator, contractCall(addresses, 'market', 'activate', [orderId]))
  await extendOrder(payer, { orderId, term: '1h' })
  // Each with a permit, in one transaction.
  expect((await market.sentBy(buyer)) - count).toBe(2)
  const text = 'of this order'
  for (const account of [operator, provider])
    expect(
      await isSignedByProvider(payer, provider.address, { text, signature: await account.signMessage({ message: text }) }),
    ).toBe(true)
  expect(await isSignedBy(client, buyer.address, text, await buyer.signMessage({ message: text }))).toBe(true)
  expect(await isSignedBy(client, buyer.address, text, await provider.signMessage({ message: text }))).toBe(false)
  await market.pass(2 * 86_400 + 3_600)
  await send(provider, contractCall(addresses, 'market', 'proSettle', [orderId]))
  const { status, remuneration, totalValue } = await getOrder(client, addresses, orderId)
  expect([status, remuneration]).toEqual([3, totalValue])

  const { purse } = await createPurse(payer)
  await depositToPurse(payer, purse, price)
  const key = await delegated()
  await grantKey(payer, purse, key.address, { totalWei: price, validUntil: 2 ** 39 })
  for (const spender of [payer, payerOf(key)]) {
    const spending = withPurse(spender, purse)
    const bought = await buyOrder(spending, { ...machine, term: '1h' })
    const signature = await signAsUser(spending, `order: ${bought.orderId}\n`)
    expect(await isSignedBy(client, purse, `order: ${bought.orderId}\n`, signature)).toBe(true)
    await cancelOrder(spending, bought.orderId)
  }
})

test('moves an order of an earlier version to the current one, under the previewed terms', async () => {
  const { payer, provider, on, chain, pass } = market
  const { orderId } = await buyOrder(payer, { ...(await on()), months: 2 })
  await market.send(provider, contractCall(payer.addresses, 'market', 'activateWithApp', [orderId, 'nginx']))
  await pass(HOUR)
  expect(await previewMove(payer, orderId)).toBeUndefined()
  await expect(moveOrder(payer, orderId)).rejects.toMatchObject({ code: 'NowhereToMove' })

  await publishMarket({ rpcUrl: chain.rpcUrl, access: chain.deployment.access })
  await expect(extendOrder(payer, { orderId, months: 1 })).rejects.toMatchObject({ code: 'Draining' })
  const conditions = await previewMove(payer, orderId)
  if (!conditions) throw new Error('there is a newer version')
  const other = { ...conditions, commissionBps: conditions.commissionBps + 1 }
  await expect(moveOrder(payer, orderId, { conditions: other })).rejects.toMatchObject({ code: 'ConditionsChanged' })

  const sent: object[] = []
  const moved = await moveOrder(payer, orderId, { conditions, onSent: (one) => sent.push(one) })
  expect(sent).toEqual([{ step: 'pay', hash: moved.hash }])
  expect(moved).toMatchObject({ from: orderId, refundedWei: expect.any(BigInt) })
  expect(moved.orderId).toBeGreaterThan(orderId)
  const now = { ...payer, addresses: await readAddresses(payer.client, chain.deployment.access) }
  const before = await getOrder(now.client, now.addresses, orderId)
  const after = await getOrder(now.client, now.addresses, moved.orderId)
  // To the second: the new order ends when the old one would have ended, at the same price.
  expect(after.activateTime + after.duration).toBe(before.activateTime + 2 * MONTH_SECONDS)
  expect(after).toMatchObject({ rate: before.rate, user: before.user, totalValue: moved.feeWei, deployed: true })
  expect(before.totalValue - before.remuneration - before.remain - moved.feeWei).toBe(moved.refundedWei)
  expect((await extendOrder(now, { orderId: moved.orderId, months: 1 })).feeWei).toBe(price)
})

const HOUR = 3600

/** Deploys code that answers every question about a signature with no. */
const DENYING_WALLET = '0x600e600a5f39600e5ff363ffffffff60e01b5f5260205ff3'

const NODE = {
  ...{ cpuModel: 'Xeon Silver 4316', gpuModel: '', nCPU: 2, core: 20, nGPU: 0, nMEM: 0, nDISK: 0 },
  ...{ pCPU: parseEther('43'), pGPU: 0n, pMEM: 0n, pDISK: 0n },
}

async function setup() {
  const chain: Chain = await startChain()
  const { provider, user, faucet } = chain.accounts
  const client = createClient({ transport: http(chain.rpcUrl), pollingInterval: 50, cacheTime: 0 })
  const addresses = await readAddresses(client, chain.deployment.access)
  const walletOf = (account: LocalAccount) => createClient({ account: account as Account, transport: http(chain.rpcUrl) })
  const send = async (account: LocalAccount, call: ReturnType<typeof contractCall>) =>
    waitForReceipt(client, await sendCall(client, walletOf(account), call))
  const pledge = parseEther('500')
  for (const account of [provider, user])
    await send(faucet, contractCall(addresses, 'credit', 'transfer', [account.address, pledge * 4n]))
  await send(
    provider,
    contractCall(addresses, 'registry', 'register', [{ name: 'helios', ip: '203.0.113.7', domain: '', port: 7070 }]),
  )
  await send(provider, contractCall(addresses, 'credit', 'approve', [addresses.pledge, pledge]))
  await send(provider, contractCall(addresses, 'pledge', 'pledge', [addresses.credit, pledge]))
  const payerOf = (account: LocalAccount) => ({ client, addresses, chainId: chain.chainId, wallet: walletOf(account) })
  let nodes = 0n
  return {
    ...{ chain, provider, user, send, payerOf, payer: payerOf(user) },
    async pass(seconds: number) {
      const control = createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl) })
      await control.increaseTime({ seconds })
      await control.mine({ blocks: 1 })
    },
    /** Reports an order's downtime up to now, in seconds of its time. Returns the second up to which the report counts. */
    async report(orderId: bigint, down: 0 | ((seconds: number) => number)) {
      const asOf = Number((await getBlock(client)).timestamp)
      const { activateTime } = await getOrder(client, addresses, orderId)
      const seconds = asOf - activateTime
      const totalSeconds = down === 0 ? 0 : down(seconds)
      await reportDowntime({ ...chain, access: chain.deployment.access }, { orderId, totalSeconds, asOf })
      return seconds
    },
    sentBy: ({ address }: LocalAccount) => getTransactionCount(client, { address }),
    /** A machine that is not sold. */
    async on() {
      await send(provider, contractCall(addresses, 'registry', 'add_node', [NODE]))
      nodes += 1n
      return { provider: provider.address, nodeId: nodes }
    },
    change: (nodeId: bigint) =>
      send(provider, contractCall(addresses, 'registry', 'updatenode', [nodeId, { ...NODE, nMEM: 1 }] as never)),
  }
}

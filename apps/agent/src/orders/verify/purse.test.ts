import { formatDeployText } from '@rackfair/protocol/deployText'
import { formatSignInText } from '@rackfair/protocol/signInText'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import {
  assignOrder,
  buyOrder,
  cancelOrder,
  changeKey,
  createPurse,
  depositToPurse,
  getBalances,
  grantKey,
  isSignedBy,
  type Payer,
  purseAddress,
  purseOf,
  readPurse,
  revokeKey,
  signAsUser,
  withdrawFromPurse,
  withPurse,
} from '@rackfair/sdk'
import { type Account, createTestClient, createWalletClient, http, parseEther } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { setupVerify } from '../../testing/setupVerify.ts'

const NGINX = 2
/** A MONTH of a test machine. */
const PRICE = ONE_CREDIT_WEI

let market: Awaited<ReturnType<typeof setupVerify>>
let owner: Payer
let purse: `0x${string}`
beforeAll(async () => {
  market = await setupVerify(4)
  owner = await payerOf(privateKeyToAccount(generatePrivateKey()))
  await market.buyer.fund(owner.wallet.account.address, 100n * ONE_CREDIT_WEI)
  purse = (await createPurse(owner)).purse
  await depositToPurse(owner, purse, 20n * ONE_CREDIT_WEI)
})
afterAll(() => market?.close())

it('keeps the purse at the address that follows from its owner, and makes it once', async () => {
  const { address } = owner.wallet.account
  const factory = market.chain.deployment.purseFactory as `0x${string}`
  expect(purse).toBe(purseAddress(factory, address))
  expect(await createPurse(owner)).toEqual({ purse, mined: undefined })
  expect(await purseOf(owner, address)).toEqual({ purse, exists: true, factory })
  const { user } = market.chain.accounts
  expect(await purseOf(owner, user.address)).toEqual({ purse: purseAddress(factory, user.address), exists: false, factory })
  await expect(purseOf({ ...owner, purses: undefined }, address)).rejects.toMatchObject({ code: 'not_deployed_on_chain' })
  const other = { ...owner, addresses: { ...owner.addresses, access: factory } }
  await expect(purseOf(other, address)).rejects.toMatchObject({ code: 'not_deployed_on_chain' })
})

it('lets a key without Credit buy, deploy and end within its limit, and nothing once it is revoked', async () => {
  const key = await grantedKey({ totalWei: 2n * PRICE })
  const held = await inPurse()
  const { orderId, feeWei } = await buyOrder(key, { provider: market.provider, nodeId: 1n, months: 1 })
  expect(feeWei).toBe(PRICE)
  expect(await inPurse()).toBe(held - PRICE)
  expect((await getBalances(key.client, key.addresses, key.wallet.account.address)).creditWei).toBe(0n)
  expect((await keyOf(key)).leftWei).toBe(PRICE)
  await expect(buyOrder(key, { provider: market.provider, nodeId: 2n, months: 2 })).rejects.toMatchObject({
    code: 'BudgetTooLow',
    facts: { amount: String(2n * PRICE), left: String(PRICE) },
  })

  const request = await deployRequest(key, orderId)
  expect(await market.code(request)).toBe('accepted')
  const withdrawal = withdrawFromPurse(key, purse, PRICE)
  await expect(withdrawal).rejects.toMatchObject({ code: 'NotPurseOwner' })
  const raw = { ...request, signature: await key.wallet.account.signMessage?.({ message: request.text }) }
  expect(await market.code(raw)).toBe('wrong_signer')

  const { refundedWei } = await cancelOrder(key, orderId)
  expect(refundedWei).toBe(PRICE)
  expect(await inPurse()).toBe(held)
  expect((await keyOf(key)).leftWei).toBe(2n * PRICE)

  const next = await buyOrder(key, { provider: market.provider, nodeId: 1n, months: 1 })
  const late = await deployRequest(key, next.orderId)
  await revokeKey(owner, purse, key.wallet.account.address)
  expect(await market.code(late)).toBe('wrong_signer')
  await expect(cancelOrder(key, next.orderId)).rejects.toMatchObject({ code: 'KeyNotValid' })
  await cancelOrder(withPurse(owner, purse), next.orderId)
  expect(await inPurse()).toBe(held)
})

it('accepts requests of a key for its own orders, and of the owner for all', async () => {
  const [key, other] = [await grantedKey({ totalWei: 5n * PRICE }), await grantedKey({ totalWei: 5n * PRICE })]
  const own = withPurse(owner, purse)
  const { orderId } = await buyOrder(key, { provider: market.provider, nodeId: 2n, months: 1 })
  const ofOwner = await buyOrder(own, { provider: market.provider, nodeId: 3n, months: 1 })
  expect(await market.code(await deployRequest(other, orderId))).toBe('wrong_signer')
  expect(await market.code(await deployRequest(key, ofOwner.orderId))).toBe('wrong_signer')
  expect(await market.code(await deployRequest(own, orderId))).toBe('accepted')
  expect(await market.code(await deployRequest(own, ofOwner.orderId))).toBe('accepted')
  await expect(assignOrder(owner, purse, orderId, other.wallet.account.address)).rejects.toMatchObject({ code: 'PaidByKey' })
  await assignOrder(owner, purse, ofOwner.orderId, key.wallet.account.address)
  expect(await market.code(await deployRequest(key, ofOwner.orderId))).toBe('accepted')
})

it('accepts a key whose account got code since (EIP-7702), and refuses one without the right', async () => {
  const key = await grantedKey({ totalWei: 5n * PRICE })
  const { orderId } = await buyOrder(key, { provider: market.provider, nodeId: 4n, months: 1 })
  const control = createTestClient({ mode: 'anvil', transport: http(market.chain.rpcUrl) })
  const { address } = key.wallet.account
  await control.setCode({ address, bytecode: `0xef0100${owner.addresses.market.slice(2)}` })
  expect(await market.code(await deployRequest(key, orderId))).toBe('accepted')
  await changeKey(owner, purse, address, { totalWei: 5n * PRICE, validUntil: 2_000_000_000, rights: ['end', 'workspace'] })
  expect(await market.code(await deployRequest(key, orderId))).toBe('wrong_signer')
  const facts = { domain: 'market.example', uri: 'https://market.example', address: purse, chainId: owner.chainId }
  const text = formatSignInText({ ...facts, nonce: 'abcdefgh12345678', issuedAt: 1_796_090_400 })
  expect(await isSignedBy(owner.client, purse, text, await signAsUser(key, text))).toBe(true)
  await changeKey(owner, purse, address, { totalWei: 5n * PRICE, validUntil: 2_000_000_000, rights: ['end'] })
  expect(await isSignedBy(owner.client, purse, text, await signAsUser(key, text))).toBe(false)
})

it('gives the owner its money back, as Credit or as USDT', async () => {
  const { address } = owner.wallet.account
  const before = (await getBalances(owner.client, owner.addresses, address)).creditWei
  await withdrawFromPurse(owner, purse, ONE_CREDIT_WEI)
  expect((await getBalances(owner.client, owner.addresses, address)).creditWei).toBe(before + ONE_CREDIT_WEI)
  const held = await inPurse()
  await withdrawFromPurse(owner, purse, ONE_CREDIT_WEI, { as: 'usdt' })
  expect(await inPurse()).toBe(held - ONE_CREDIT_WEI)
})

const inPurse = async () => (await readPurse(owner, purse)).creditWei

async function keyOf(key: Payer) {
  const { keys } = await readPurse(owner, purse)
  const found = keys.find((one) => one.key === key.wallet.account.address)
  if (!found) throw new Error('the key is not listed')
  return found
}

/** An account with gas and nothing else. */
async function payerOf(account: PrivateKeyAccount): Promise<Payer> {
  const { client, addresses } = market.buyer
  const { rpcUrl, chainId, deployment } = market.chain
  await createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).setBalance({
    address: account.address,
    value: parseEther('1'),
  })
  const wallet = createWalletClient({ account: account as Account, transport: http(rpcUrl) })
  return { client, addresses, chainId, wallet, purses: deployment.purseFactory }
}

async function grantedKey(limits: { totalWei: bigint }): Promise<Payer> {
  const key = await payerOf(privateKeyToAccount(generatePrivateKey()))
  await grantKey(owner, purse, key.wallet.account.address, { ...limits, validUntil: 2_000_000_000 })
  return withPurse(key, purse)
}

async function deployRequest(key: Payer, orderId: bigint) {
  const { provider } = market
  const facts = { orderId, deployId: NGINX, time: Math.floor(Date.now() / 1000), wallet: purse, provider, chainId: key.chainId }
  const text = formatDeployText(facts)
  return { text, signature: await signAsUser(key, text) }
}

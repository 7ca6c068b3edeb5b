import { type Chain, startChain } from '@rackfair/testkit'
import { type Address, createClient, encodeFunctionData, type Hex, http, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { getBlockNumber, getTransaction, sendTransaction } from 'viem/actions'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { orderOffer } from '../order/offers.ts'
import { addNodeCall, pledgeCall, registerCall } from '../provider/calls.ts'
import { type ContractCall, contractCall } from './contractCall.ts'
import { carries, findCall } from './findCall.ts'
import { type MarketAddresses, readAddresses } from './readAddresses.ts'
import { quoteOrder } from './views.ts'
import { waitForReceipt } from './waitForReceipt.ts'

let chain: Chain
let addresses: MarketAddresses
beforeAll(async () => {
  chain = await startChain()
  addresses = await readAddresses(client(), chain.deployment.access)
})
afterAll(() => chain.stop())

const client = () => createClient({ transport: http(chain.rpcUrl), cacheTime: 0, pollingInterval: 50 })
const plain = (call: ContractCall) => ({ to: call.address, data: encodeFunctionData(call as never) })
const send = async (account: Chain['accounts']['user'], call: { to: Address; data?: Hex; value?: bigint }) => {
  const writer = createClient({ account, transport: http(chain.rpcUrl) })
  return waitForReceipt(client(), await sendTransaction(writer, { ...call, chain: null }))
}
const offer = async (provider: Address, moreWei = 0n) => {
  const place = { provider, nodeId: 1n, duration: 30 * 86_400 }
  const quote = await quoteOrder(client(), addresses, provider, 1n, place.duration)
  return plain(orderOffer(addresses, { ...place, ...quote, feeWei: quote.feeWei + moreWei }).plain)
}

it('finds a call of an account, itself and in a batch, and no other', async () => {
  const { user, faucet } = chain.accounts
  const since = await getBlockNumber(client())
  const approve = (wei: bigint) => plain(contractCall(addresses, 'credit', 'approve', [addresses.market, wei]))
  expect(await findCall(client(), user.address, approve(7n), since)).toBeUndefined()
  const { transactionHash } = await send(user, approve(7n))
  expect(await findCall(client(), user.address, approve(7n), since)).toBe(transactionHash)
  expect(await findCall(client(), user.address, approve(8n), since)).toBeUndefined()
  expect(await findCall(client(), faucet.address, approve(7n), since)).toBeUndefined()
  expect(await findCall(client(), user.address, approve(7n), (await getBlockNumber(client())) + 1n)).toBeUndefined()

  const transaction = await getTransaction(client(), { hash: transactionHash })
  const call = approve(7n)
  const batch = { ...transaction, to: faucet.address, from: faucet.address, input: `0xabcdef${call.data.slice(2)}00` as Hex }
  expect(carries(batch, user.address, call)).toBe(true)
  expect(carries({ ...batch, input: '0xabcdef' }, user.address, call)).toBe(false)
  expect(carries({ ...transaction, from: faucet.address }, user.address, call)).toBe(false)
  expect(carries({ ...batch, input: '0x' }, user.address, { to: user.address, data: '0x' })).toBe(false)
})

it('finds the order of an account whose wallet handed the call on in another form', async () => {
  const { user, provider, faucet } = chain.accounts
  const pledge = parseEther('500')
  for (const to of [provider.address, user.address])
    await send(faucet, plain(contractCall(addresses, 'credit', 'transfer', [to, pledge])))
  await send(provider, plain(registerCall(addresses, { name: 'helios', ip: '203.0.113.7', domain: '', port: 7070 })))
  await send(provider, plain(contractCall(addresses, 'credit', 'approve', [addresses.pledge, pledge])))
  await send(provider, plain(pledgeCall(addresses, pledge)))
  const sizes = { nCPU: 1, core: 20, nGPU: 0, nMEM: 0, nDISK: 0 }
  const prices = { pCPU: parseEther('10'), pGPU: 0n, pMEM: 0n, pDISK: 0n }
  await send(provider, plain(addNodeCall(addresses, { cpuModel: 'Xeon', gpuModel: '', ...sizes, ...prices })))

  const since = await getBlockNumber(client())
  const [call, other] = [await offer(provider.address), await offer(provider.address, 1n)]
  await send(user, plain(contractCall(addresses, 'credit', 'approve', [addresses.market, pledge])))
  const { transactionHash } = await send(user, call)
  // It was sent with another limit of the fee.
  expect(await findCall(client(), user.address, other, since)).toBe(transactionHash)
  expect(await findCall(client(), privateKeyToAccount(generatePrivateKey()).address, call, since)).toBeUndefined()
})

// @vitest-environment node
import { developmentAccount } from '@rackfair/contracts/developmentAccounts'
import { type Anvil, startAnvil } from '@rackfair/testkit'
import {
  type Address,
  type Chain,
  createClient,
  createTestClient,
  defineChain,
  type Hash,
  type Hex,
  http,
  numberToHex,
  pad,
} from 'viem'
import { getBlockNumber, sendTransaction, setCode, waitForTransactionReceipt } from 'viem/actions'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createConfig } from 'wagmi'
import { connect } from 'wagmi/actions'
import { browserWallet } from '../connection/browserWallet.ts'
import { createTransactionStore } from './TransactionStore.ts'
import { trackBatch } from './trackBatch.ts'

const DONE = { version: '2.0.0', id: 'first', chainId: '0xba9', atomic: true }

it.each<[string, (hash: Hash) => unknown]>([
  ['with receipts', (hash) => ({ ...DONE, status: 200, receipts: [{ status: '0x1', transactionHash: hash, logs: [] }] })],
  ['without receipts', () => ({ status: 200, atomic: true })],
  ['with none', () => ({ ...DONE, status: 200, receipts: [] })],
  ['with null', () => ({ ...DONE, status: 200, receipts: null })],
  ['with receipts without status', (hash) => ({ ...DONE, status: 200, receipts: [{ transactionHash: hash }] })],
  ['with receipts without hash', () => ({ ...DONE, status: 200, receipts: [{ status: '0x1' }, null, 7] })],
  ['with hashes', (hash) => ({ ...DONE, status: 200, receipts: [hash] })],
  ['with the hash of somebody else', () => ({ ...DONE, status: 200, receipts: [{ status: '0x1', transactionHash: OTHER }] })],
  ['with a hash that there is not', () => ({ ...DONE, status: 200, receipts: [{ transactionHash: `0x${'0f'.repeat(32)}` }] })],
  ['by name', () => ({ status: 'CONFIRMED' })],
  ['as text', () => ({ status: '200' })],
  ['that it failed, which is not so', () => ({ ...DONE, status: 400 })],
  ['that it was reverted, which is not so', () => ({ ...DONE, status: 500, receipts: [{ status: '0x0' }] })],
  ['nothing', () => null],
  ['a text', () => 'ok'],
  ['never', () => new Promise(() => undefined)],
  ['an error', () => Promise.reject(new Error('odd'))],
  ['that it does not know it', () => fail(5730)],
])('finds a batch that was carried out when the wallet answers %s', async (_, answer) => {
  const { track, carryOut, kept, settled } = await setup()
  const hash = await carryOut()
  expect((await track(() => answer(hash))).transactionHash).toBe(hash)
  expect([kept(), settled()]).toEqual([[], [{ hash, description: 'buy', status: 'confirmed' }]])
})

it.each<[string, string, () => unknown]>([
  ['transaction_unknown', 'says that it is done', () => ({ ...DONE, status: 200 })],
  ['transaction_unknown', 'names another transaction', () => ({ ...DONE, status: 200, receipts: [{ transactionHash: OTHER }] })],
  ['transaction_unknown', 'does not know it', () => fail(5730)],
  ['transaction_timeout', 'still waits', () => ({ ...DONE, status: 100 })],
  ['transaction_timeout', 'says nothing that makes sense', () => ({ status: {} })],
  ['transaction_timeout', 'never answers', () => new Promise(() => undefined)],
  ['transaction_timeout', 'only answers with errors', () => fail(-32603)],
])('says %s of a batch that the chain does not show when the wallet %s, and finds it later', async (code, _, answer) => {
  const { track, carryOut, kept, settled } = await setup()
  await expect(track(answer, 1500)).rejects.toMatchObject({ code })
  expect([kept(), settled()]).toEqual([[{ id: 'first', unknown: true }], []])
  const hash = await carryOut()
  await track(() => new Promise(() => undefined))
  expect([kept(), settled()]).toMatchObject([[], [{ hash, status: 'confirmed' }]])
})

it('finds a batch that is carried out only after the wallet has given it up', async () => {
  const { track, carryOut, settled } = await setup()
  const done = vi.fn(carryOut)
  const receipt = await track(async () => {
    // The chain is searched in vain after the first answer; the second comes when the batch has been carried out.
    if (done.mock.calls.length === 0) setTimeout(done, 500)
    else await done.mock.results[0]?.value
    return { ...DONE, status: 400 }
  })
  expect(settled()).toMatchObject([{ hash: receipt.transactionHash, status: 'confirmed' }])
})

it('fails a batch that the wallet gave up and the chain does not show, and one that the chain reverted', async () => {
  const given = await setup()
  await expect(given.track(() => ({ ...DONE, status: 400 }))).rejects.toMatchObject({ code: 'transaction_reverted' })
  expect([given.kept(), given.settled()]).toEqual([[], []])

  const { track, carryOut, kept, settled, target } = await setup()
  await setCode(test(), { address: target, bytecode: '0x60006000fd' })
  const hash = await carryOut()
  await expect(track(() => ({ ...DONE, status: 500, receipts: [{ transactionHash: hash }] }))).rejects.toMatchObject({
    ...{ code: 'transaction_reverted', facts: { hash } },
  })
  expect([kept(), settled()]).toMatchObject([[], [{ hash, status: 'failed' }]])
})

let OTHER: Hash
let anvil: Anvil
let last = 0
beforeAll(async () => {
  vi.stubGlobal('window', new EventTarget())
  anvil = await startAnvil()
  OTHER = await sendTransaction(writer(), { to: `0x${'99'.repeat(20)}` })
})
afterAll(async () => anvil.stop())

function fail(code: number): never {
  throw Object.assign(new Error('The wallet says no'), { code })
}

const chain = (): Chain => {
  const rpcUrls = { default: { http: [anvil.rpcUrl] } }
  return defineChain({ id: 2985, name: 'dev', nativeCurrency: { name: 'R', symbol: 'R', decimals: 18 }, rpcUrls })
}
const options = () => ({ chain: chain(), transport: http(anvil.rpcUrl), pollingInterval: 100, cacheTime: 0 })
const test = () => createTestClient({ ...options(), mode: 'anvil' })
const writer = () => createClient({ ...options(), account: developmentAccount(0) })

/** A batch in a wallet of a contract account that another key carries out, and what the page keeps of it. */
async function setup() {
  last += 1
  const account: Address = `0x${'5a'.repeat(19)}${String(last).padStart(2, '0')}`
  const target: Address = `0x${'7a'.repeat(19)}${String(last).padStart(2, '0')}`
  // Logs an event that names the account.
  await setCode(test(), { address: target, bytecode: `0x7f${pad(account).slice(2)}7f${'ee'.repeat(32)}60006000a200` })
  const data: Hex = `0x12345678${'07'.repeat(32)}`
  const batch = { id: 'first', description: 'buy', to: target, data, sinceBlock: String(await getBlockNumber(test())) }
  const items = new Map<string, string>()
  const transactions = createTransactionStore({
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
  })
  transactions.batches.add(account, 2985, batch)
  let answer: () => unknown = () => null
  const request = async ({ method }: { method: string }) => {
    if (method === 'eth_chainId') return numberToHex(2985)
    return method === 'wallet_getCallsStatus' ? answer() : [account]
  }
  const provider = { request, on: () => undefined, removeListener: () => undefined }
  const wagmi = createConfig({ chains: [chain()], transports: { 2985: http(anvil.rpcUrl) }, storage: null } as never)
  await connect(wagmi, { connector: browserWallet({ id: 'wallet', name: 'Wallet', find: () => provider, announced: false }) })
  return {
    target,
    track: (next: () => unknown, timeoutMs = 20_000) => {
      answer = next
      return trackBatch({ wagmi, transactions } as never, test(), account, 2985, batch, { timeoutMs, pollMs: 300 })
    },
    carryOut: async () => {
      const hash = await sendTransaction(writer(), { to: target, data: `0xabcdef00${data.slice(2)}`, gas: 200_000n })
      return (await waitForTransactionReceipt(writer(), { hash })).transactionHash
    },
    kept: () => transactions.batches.of(account, 2985).map(({ id, unknown }) => ({ id, ...(unknown ? { unknown } : {}) })),
    settled: () => transactions.of(account, 2985),
  }
}

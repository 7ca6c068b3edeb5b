// @vitest-environment node
import { type Anvil, startAnvil } from '@rackfair/testkit'
import { type Chain, createClient, createTestClient, defineChain, type Hash, http } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { mine, sendTransaction, setAutomine, setIntervalMining } from 'viem/actions'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createTransactionStore } from './TransactionStore.ts'
import { trackTransaction } from './trackTransaction.ts'

it('keeps an unmined transaction pending, and confirms it on a later wait', async () => {
  const { track, status, send } = setup()
  const sent = await send()
  await expect(track(sent, { timeoutMs: 500 })).rejects.toMatchObject({ code: 'transaction_timeout' })
  expect(status(sent)).toBe('pending')
  await mine(test(), { blocks: 1 })
  await track(sent)
  expect(status(sent)).toBe('confirmed')
})

it('keeps a mined transaction pending until it has enough confirmations', async () => {
  const { track, status, send } = setup()
  const sent = await send()
  await mine(test(), { blocks: 1 })
  await expect(track(sent, { timeoutMs: 500, confirmations: 3 })).rejects.toMatchObject({ code: 'transaction_timeout' })
  expect(status(sent)).toBe('pending')
})

it('fails an unknown transaction once another has used its nonce', async () => {
  const { track, status, send } = setup()
  await expect(track(LOST, { timeoutMs: 500, nonce: 0 })).rejects.toMatchObject({ code: 'transaction_timeout' })
  expect(status(LOST)).toBe('pending')
  await send()
  await mine(test(), { blocks: 1 })
  await expect(track(LOST, { timeoutMs: 500, nonce: 0 })).rejects.toMatchObject({ code: 'transaction_timeout' })
  expect(status(LOST)).toBe('failed')
})

it('fails an unknown transaction whose nonce is unknown too', async () => {
  const { track, status } = setup()
  await expect(track(LOST, { timeoutMs: 500 })).rejects.toMatchObject({ code: 'transaction_timeout' })
  expect(status(LOST)).toBe('failed')
})

const LOST: Hash = `0x${'ab'.repeat(32)}`
let anvil: Anvil
let nextAccount = 0
beforeAll(async () => {
  vi.stubGlobal('window', new EventTarget())
  anvil = await startAnvil()
  await setAutomine(test(), false)
  await setIntervalMining(test(), { interval: 0 })
})
afterAll(async () => anvil.stop())

const options = () => {
  const rpcUrls = { default: { http: [anvil.rpcUrl] } }
  const nativeCurrency = { name: 'R', symbol: 'R', decimals: 18 }
  const chain: Chain = defineChain({ id: 2985, name: 'dev', nativeCurrency, rpcUrls })
  return { chain, transport: http(anvil.rpcUrl), pollingInterval: 100, cacheTime: 0 }
}
const test = () => createTestClient({ ...options(), mode: 'anvil' })

/** A store of its own and an account that has sent nothing. */
function setup() {
  const account = mnemonicToAccount('test test test test test test test test test test test junk', {
    addressIndex: nextAccount++,
  })
  const items = new Map<string, string>()
  const transactions = createTransactionStore({
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => items.set(key, value),
  })
  const client = createClient(options())
  const track = (hash: Hash, { timeoutMs, ...facts }: { timeoutMs?: number; nonce?: number; confirmations?: number } = {}) => {
    const transaction = { hash, description: 'buy', ...facts }
    transactions.add(account.address, 2985, transaction)
    return trackTransaction({ transactions }, client, account.address, 2985, transaction, timeoutMs)
  }
  return {
    track,
    status: (hash: Hash) => transactions.of(account.address, 2985).find((one) => one.hash === hash)?.status,
    send: () => sendTransaction(createClient({ ...options(), account }), { to: account.address, nonce: 0 }),
  }
}

// @vitest-environment node
import { developmentAccount } from '@rackfair/contracts/developmentAccounts'
import { type Anvil, startAnvil } from '@rackfair/testkit'
import { type Address, type Chain, createClient, createTestClient, defineChain, type Hash, type Hex, http, pad } from 'viem'
import { getBlockNumber, mine, sendTransaction, setAutomine, setCode, setIntervalMining } from 'viem/actions'
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

it('calls a hash that the chain never shows not known, and confirms what was sent under another one', async () => {
  const { track, status, send, address } = setup()
  const call = { to: address, sinceBlock: String(await getBlockNumber(client())), firstNonce: 0, data: '0x' }
  await expect(track(LOST, { timeoutMs: 500, ...call })).rejects.toMatchObject({ code: 'transaction_timeout' })
  expect(status(LOST)).toBe('unknown')
  const mined = await send()
  await mine(test(), { blocks: 1 })
  await track(LOST, { ...call, pollMs: 200 })
  expect([status(LOST), status(mined)]).toEqual([undefined, 'confirmed'])
})

it('finds a call of a contract account by its event, whoever sent it', async () => {
  const { track, status, account, send } = setup()
  const safe: Address = `0x${'5a'.repeat(20)}`
  await logs(TARGET, safe)
  const call = { to: TARGET, data: `0x12345678${'07'.repeat(32)}`, sinceBlock: String(await getBlockNumber(client())) }
  const waiting = track(LOST, { ...call, from: safe, pollMs: 200 })
  const mined = await send({ to: TARGET, data: `0xabcdef00${call.data.slice(2)}` as Hex, gas: 100_000n })
  await mine(test(), { blocks: 1 })
  expect((await waiting).transactionHash).toBe(mined)
  expect(status(mined, safe)).toBe('confirmed')
  expect(account.address).not.toBe(safe)
})

it('believes no hash of another transaction, mined or reverted', async () => {
  const { track, status, send } = setup()
  const other = await send({ to: `0x${'99'.repeat(20)}` })
  await setCode(test(), { address: REVERTS, bytecode: '0x60006000fd' })
  const reverted = await setup().send({ to: REVERTS, gas: 100_000n })
  await mine(test(), { blocks: 1 })
  const call = { to: TARGET, data: `0x12345678${'08'.repeat(32)}`, sinceBlock: String(await getBlockNumber(client())) }
  for (const hash of [other, reverted]) {
    const waiting = track(hash, { ...call, timeoutMs: 1000, pollMs: 200 })
    await expect(waiting).rejects.toMatchObject({ code: 'transaction_timeout' })
    expect(status(hash)).toBe('unknown')
  }
})

const LOST: Hash = `0x${'ab'.repeat(32)}`
const TARGET: Address = `0x${'7a'.repeat(20)}`
const REVERTS: Address = `0x${'7e'.repeat(20)}`
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
const client = () => createClient(options())
const test = () => createTestClient({ ...options(), mode: 'anvil' })

/** A contract that logs an event which names the account, whatever it is called with. */
const logs = (address: Address, account: Address) =>
  setCode(test(), { address, bytecode: `0x7f${pad(account).slice(2)}7f${'ee'.repeat(32)}60006000a200` })

/** A store of its own and an account that has sent nothing. */
function setup() {
  const account = developmentAccount(nextAccount++)
  const items = new Map<string, string>()
  const transactions = createTransactionStore({
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => items.set(key, value),
  })
  const { address } = account
  const track = (
    hash: Hash,
    {
      timeoutMs,
      pollMs,
      from = address,
      ...facts
    }: { timeoutMs?: number; pollMs?: number; from?: Address } & Partial<Parameters<typeof trackTransaction>[4]> = {},
  ) => {
    const transaction = { hash, description: 'buy', ...facts }
    transactions.add(from, 2985, transaction)
    return trackTransaction({ transactions }, client(), from, 2985, transaction, { timeoutMs, pollMs })
  }
  return {
    ...{ account, address, track },
    status: (hash: Hash, from = address) => transactions.of(from, 2985).find((one) => one.hash === hash)?.status,
    send: (call: { to?: Address; data?: Hex; gas?: bigint } = {}) =>
      sendTransaction(createClient({ ...options(), account }), { to: address, nonce: 0, ...call }),
  }
}

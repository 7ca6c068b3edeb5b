// @vitest-environment node

import { developmentAccount } from '@rackfair/contracts/developmentAccounts'
import { RECEIPT_TIMEOUT_MS } from '@rackfair/sdk'
import { type Anvil, startAnvil } from '@rackfair/testkit'
import { type Chain, createClient, createTestClient, defineChain, http, parseGwei } from 'viem'
import { dropTransaction, getTransactionCount, mine, sendTransaction, setAutomine, setIntervalMining } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { awaitTransaction } from './awaitTransaction.ts'
import { findByNonce } from './findByNonce.ts'

describe('waiting for a transaction', () => {
  it('returns its receipt', async () => {
    const { client, sender, test, send } = await setup()
    const sent = await send({ gas: 2n })
    const waiting = awaitTransaction(client, sender, sent)
    await mine(test, { blocks: 1 })
    expect((await waiting).transactionHash).toBe(sent.hash)
  })

  it('follows an equivalent replacement, even if the original is unknown', async () => {
    const { client, sender, test, send } = await setup()
    const sent = await send({ gas: 2n })
    await dropTransaction(test, { hash: sent.hash })
    const faster = await send({ gas: 20n, nonce: sent.nonce })
    const waiting = awaitTransaction(client, sender, sent)
    await mine(test, { blocks: 3 })
    expect((await waiting).transactionHash).toBe(faster.hash)
  })

  it('does not leave a cancelled one pending', async () => {
    const { client, sender, test, send } = await setup()
    const sent = await send({ gas: 2n })
    await dropTransaction(test, { hash: sent.hash })
    await send({ gas: 20n, nonce: sent.nonce, to: sender })
    const waiting = awaitTransaction(client, sender, sent)
    await mine(test, { blocks: 1 })
    await expect(waiting).rejects.toMatchObject({ code: 'transaction_replaced', facts: { hash: sent.hash } })
  })

  it('gives up after 300 s', async () => {
    expect(RECEIPT_TIMEOUT_MS).toBe(300_000)
    const { client, sender, send } = await setup()
    const sent = await send({ gas: 2n })
    // In real time: a fake clock would also time out requests that the chain is still serving.
    const waiting = awaitTransaction(client, sender, sent, 500)
    await expect(waiting).rejects.toMatchObject({ code: 'transaction_timeout' })
  })

  it('finds the block of a nonce by binary search, and none for an unused one', async () => {
    const { client, sender, test, send } = await setup()
    const sent = await send({ gas: 2n })
    expect(await findByNonce(client, sender, sent.nonce, sent.sinceBlock)).toBeUndefined()
    await mine(test, { blocks: 7 })
    expect((await findByNonce(client, sender, sent.nonce, '0'))?.hash).toBe(sent.hash)
    expect((await findByNonce(client, sender, sent.nonce, '99999999'))?.hash).toBe(sent.hash)
  })

  it('finds recent transactions on a pruned node, and no older ones', async () => {
    const { client, sender, test, send } = await setup()
    const old = await send({ gas: 2n })
    await mine(test, { blocks: 2000 })
    const recent = await send({ gas: 2n })
    await mine(test, { blocks: 1 })
    expect((await findByNonce(client, sender, recent.nonce, '0'))?.hash).toBe(recent.hash)
    expect(await findByNonce(client, sender, old.nonce, '0')).toBeUndefined()
  })
})

let anvil: Anvil
let nextAccount = 0
beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(async () => anvil.stop())

const OTHER = '0x00000000000000000000000000000000000000aa'

async function setup() {
  const account = developmentAccount(nextAccount++)
  const chain: Chain = defineChain({
    id: 2985,
    name: 'dev',
    nativeCurrency: { name: 'R', symbol: 'R', decimals: 18 },
    rpcUrls: { default: { http: [anvil.rpcUrl] } },
  })
  const options = { chain, transport: http(anvil.rpcUrl, { timeout: 120_000 }), pollingInterval: 100, cacheTime: 0 }
  const client = createClient(options)
  const test = createTestClient({ ...options, mode: 'anvil' })
  await setAutomine(test, false)
  await setIntervalMining(test, { interval: 0 })
  const writer = createClient({ ...options, account })
  const send = async (wish: { gas: bigint; nonce?: number; to?: `0x${string}` }) => {
    const nonce = wish.nonce ?? (await getTransactionCount(client, { address: account.address }))
    const to = wish.to ?? OTHER
    const hash = await sendTransaction(writer, {
      to,
      value: 1n,
      nonce,
      gas: 21_000n,
      maxFeePerGas: parseGwei(String(wish.gas + 10n)),
      maxPriorityFeePerGas: parseGwei(String(wish.gas)),
    })
    return { hash, nonce, to, data: '0x', sinceBlock: '0' }
  }
  return { client, test, sender: account.address, send }
}

import { numberToHex } from 'viem'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createConfig, http } from 'wagmi'
import { connect } from 'wagmi/actions'
import { mainnet } from 'wagmi/chains'
import { injected } from 'wagmi/connectors'
import { createTransactionStore } from './TransactionStore.ts'
import { trackBatch } from './trackBatch.ts'

describe('waiting for a batch', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
  afterEach(() => void vi.useRealTimers())

  it('continues through errors of the wallet, and settles its transaction', async () => {
    const { waiting, wallet, kept, store } = await setup(() => fail(-32603))
    await vi.advanceTimersByTimeAsync(120_000)
    expect(kept()).toEqual(['first'])
    wallet.answer = () => ({ status: 200, atomic: true, receipts: [RECEIPT] })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await waiting).toMatchObject({ transactionHash: HASH })
    expect(kept()).toEqual([])
    expect(store.of(ALICE, 1)).toMatchObject([{ hash: HASH, status: 'confirmed' }])
  })

  it.each([
    ['still waits', () => ({ status: 100, atomic: true, receipts: [] })],
    ['never answers', () => new Promise(() => undefined)],
    ['only answers with errors', () => fail(-32603)],
  ])('keeps it when the wallet %s after 300 s', async (_, answer) => {
    const { waiting, kept } = await setup(answer)
    await vi.advanceTimersByTimeAsync(310_000)
    expect(await waiting).toMatchObject({ code: 'transaction_timeout' })
    expect(kept()).toEqual(['first'])
  })

  it('forgets it with an unknown result when the wallet does not know it', async () => {
    const { waiting, kept } = await setup(() => fail(5730))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await waiting).toMatchObject({ code: 'transaction_unknown' })
    expect(kept()).toEqual([])
  })

  it('forgets it when the wallet failed to execute it', async () => {
    const { waiting, kept } = await setup(() => ({ status: 400, atomic: true }))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await waiting).toMatchObject({ code: 'transaction_reverted' })
    expect(kept()).toEqual([])
  })
})

const ALICE = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
const HASH = `0x${'1'.repeat(64)}`
const RECEIPT = { status: '0x1', transactionHash: HASH, blockNumber: '0x1', gasUsed: '0x1', logs: [] }

function fail(code: number): never {
  throw Object.assign(new Error('The wallet says no'), { code })
}

/** A batch pending in a wallet, and its result. */
async function setup(answer: () => unknown) {
  const wallet = { answer }
  const request = async ({ method }: { method: string }) => {
    if (method === 'eth_chainId') return numberToHex(1)
    if (method === 'wallet_getCallsStatus') return wallet.answer()
    return [ALICE]
  }
  const provider = { request, on: () => undefined, removeListener: () => undefined }
  const connector = injected({ target: { id: 'wallet', name: 'Wallet', provider: provider as never } })
  const wagmi = createConfig({ chains: [mainnet], transports: { 1: http() }, storage: null })
  await connect(wagmi, { connector })
  const values = new Map<string, string>()
  const store = createTransactionStore({
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
  })
  store.batches.add(ALICE, 1, { id: 'first', description: 'buy' })
  const waiting = trackBatch({ wagmi: wagmi as never, transactions: store }, ALICE, 1, { id: 'first', description: 'buy' }).catch(
    (error: unknown) => error,
  )
  return { waiting, wallet, store, kept: () => store.batches.of(ALICE, 1).map(({ id }) => id) }
}

// @vitest-environment node
import { AppError } from '@rackfair/rules/errors/AppError'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import {
  addNodeCall,
  contractCall,
  createdOrderId,
  orderOffer,
  pledgeCall,
  quoteOrder,
  readAddresses,
  readMarket,
  registerCall,
  sendCall,
  toAppError,
  waitForReceipt,
} from '@rackfair/sdk'
import { type Chain as RunningChain, startChain } from '@rackfair/testkit'
import { type Address, type Chain, createClient, type Hash, http, type LocalAccount, parseEther } from 'viem'
import { getTransactionCount, writeContract } from 'viem/actions'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { knownBlock } from '../../platform/api/knownBlock.ts'
import { chainOf } from '../session/chainOf.ts'
import { createPayment } from './createPayment.ts'
import type { PaymentWallet } from './PaymentWallet.ts'

let setup: Awaited<ReturnType<typeof start>>
beforeAll(async () => {
  setup = await start()
})
afterAll(() => setup.chain.stop())
beforeEach(() => setup.reset())

const PRICE = 10n * ONE_CREDIT_WEI

test('pays by permit with one signature and one transaction, through every stage', async () => {
  const { pay, sentBy } = setup
  const { receipt, stages, payment } = await pay()
  expect(stages).toEqual(['quote permit', 'allow permit', 'wallet permit', 'waiting permit', 'done permit'])
  expect(receipt && createdOrderId(receipt)).toBeGreaterThan(0n)
  expect(payment.getState()).toMatchObject({ at: 'done', hash: receipt?.transactionHash })
  expect(await sentBy()).toBe(1)
})

test('approves exactly the price with a wallet that cannot sign a permit', async () => {
  const { pay, wallet, descriptions, sentBy, allowance } = setup
  wallet.signTyped = () => Promise.reject(new AppError('bad_request', 'this account cannot sign'))
  const { stages, payment } = await pay()
  expect(stages).toEqual([
    ...['quote permit', 'allow permit', 'allow approve', 'wallet approve', 'waiting approve', 'done approve'],
  ])
  expect(payment.getState()).toMatchObject({ approveHash: expect.stringMatching(/^0x/), hash: expect.stringMatching(/^0x/) })
  expect(descriptions).toEqual(['its price', 'a machine'])
  expect(await sentBy()).toBe(2)
  expect(await allowance()).toBe(0n)
})

test('asks a batching wallet once for both', async () => {
  const { pay, wallet, sent } = setup
  wallet.canBatch = () => Promise.resolve(true)
  const { stages } = await pay()
  expect(stages).toEqual(['quote permit', 'wallet direct', 'waiting direct', 'wallet direct', 'waiting direct', 'done direct'])
  expect(sent).toEqual([['approve', 'createOrder']])
})

test.each(['signTyped', 'canBatch'] as const)('asks a wallet without %s step by step', async (method) => {
  const { pay, wallet } = setup
  Object.assign(wallet, { [method]: () => Promise.reject(new AppError('unknown', 'not supported')) })
  expect((await pay()).receipt).toBeDefined()
})

test('takes the next way after each that turns out not to work, whatever the wallet calls it', async () => {
  const { pay, wallet, sent, sentBy } = setup
  const { sendCalls } = wallet
  let asked = 0
  wallet.canBatch = () => Promise.resolve(true)
  wallet.sendCalls = (calls, ...more) =>
    calls.length > 1
      ? Promise.reject(toAppError({ code: 5750, message: 'The user rejected the upgrade' }))
      : sendCalls(calls, ...more)
  const { stages } = await pay()
  expect(stages).toEqual([...['quote permit', 'wallet direct', 'allow permit', 'wallet permit', 'waiting permit', 'done permit']])
  wallet.signTyped = () => Promise.resolve('0x')
  wallet.noteNoPermit = () => {
    asked += 1
  }
  expect((await pay()).stages.slice(-3)).toEqual(['wallet approve', 'waiting approve', 'done approve'])
  expect(asked).toBe(1)
  expect(sent).toEqual([['createOrderWithPermit'], ['approve'], ['createOrder']])
  expect(await sentBy()).toBe(3)
})

test.each([
  ['a hardware wallet’s no', { code: -32603, message: 'Ledger device: denied by the user (0x6985)' }, 'idle'],
  ['a no without a number', 'Cancelled', 'idle'],
  ['an error without a meaning', new Error('The key is on fire'), 'failed permit'],
  ['silence', Object.assign(new Error('x'), { name: 'WalletSilentError' }), 'failed permit'],
])('asks nothing more after %s in place of a permit', async (_, thrown, end) => {
  const { pay, wallet, sent } = setup
  wallet.signTyped = async () => {
    const known = toAppError(thrown)
    if (known.code === 'user_rejected') return undefined
    throw known
  }
  expect((await pay()).stages.at(-1)).toBe(end)
  expect(sent).toEqual([])
})

test('is silent on a rejected signature or transaction, and does not approve twice', async () => {
  const { pay, wallet, sentBy, allowance } = setup
  const { signTyped, sendCalls } = wallet
  wallet.signTyped = () => Promise.resolve(undefined)
  expect(await pay()).toMatchObject({ receipt: undefined, stages: ['quote permit', 'allow permit', 'idle'] })
  expect(await sentBy()).toBe(0)

  wallet.signTyped = () => Promise.reject(new AppError('bad_request', 'this account cannot sign'))
  const declined = () => Promise.reject(new AppError('user_rejected', 'no'))
  wallet.sendCalls = declined
  expect((await pay()).stages.at(-1)).toBe('idle')
  wallet.sendCalls = (calls, ...more) => (calls[0]?.functionName === 'approve' ? sendCalls(calls, ...more) : declined())
  expect((await pay()).stages.at(-1)).toBe('idle')
  expect(await allowance()).toBe(PRICE)

  Object.assign(wallet, { signTyped, sendCalls })
  expect((await pay()).stages).toEqual(['quote permit', 'wallet direct', 'waiting direct', 'done direct'])
  expect(await allowance()).toBe(0n)
})

test.each([
  ['chooses another account', 'account_changed', () => setup.chain.accounts.provider.address],
  ['disconnects', 'not_connected', () => undefined],
])('pays nothing for a user who %s during the wallet’s prompt', async (_, code, getAddress) => {
  const { pay, wallet, sentBy } = setup
  const { signTyped } = wallet
  wallet.signTyped = (message) => {
    wallet.getAddress = getAddress
    return signTyped(message)
  }
  const { payment } = await pay()
  const message = `The payment was begun by ${setup.chain.accounts.user.address}, the wallet now has ${getAddress() ?? 'none'}`
  expect(payment.getState()).toMatchObject({ at: 'failed', during: 'allow', error: { code, message } })
  expect(await sentBy()).toBe(0)
})

test('asks nothing of a user who switches accounts during the quote', async () => {
  const { pay, wallet, chain } = setup
  wallet.canBatch = () => {
    wallet.getAddress = () => chain.accounts.provider.address
    return Promise.resolve(false)
  }
  expect((await pay()).payment.getState()).toMatchObject({ at: 'failed', during: 'quote', error: { code: 'account_changed' } })
})

test('sends nothing when the network is lost during the wallet’s prompt', async () => {
  const { pay, wallet, sent } = setup
  const { signTyped } = wallet
  wallet.signTyped = (message) => {
    wallet.isOnline = () => false
    return signTyped(message)
  }
  expect((await pay()).payment.getState()).toMatchObject({ at: 'failed', during: 'allow', error: { code: 'rpc_unreachable' } })
  expect(sent).toEqual([])
})

test('does not fall back to an approval with a locked wallet', async () => {
  const { pay, wallet, sent } = setup
  wallet.signTyped = () => Promise.reject(new AppError('wallet_locked', 'locked'))
  expect((await pay()).payment.getState()).toMatchObject({ at: 'failed', during: 'allow', error: { code: 'wallet_locked' } })
  expect(sent).toEqual([])
})

test('asks nothing without a network, and sends nothing later', async () => {
  const { wallet, market, sent } = setup
  wallet.isOnline = () => false
  const payment = createPayment(wallet)
  await payment.pay(market, () => Promise.reject(new Error('the price was looked up')))
  expect(payment.getState()).toMatchObject({ at: 'failed', during: 'quote', error: { code: 'rpc_unreachable' } })
  expect(sent).toEqual([])
})

test('refuses what the contract would refuse before sending it, and calls a sent fee possibly spent', async () => {
  const { pay, wallet, sentBy } = setup
  const dear = await pay({ feeWei: PRICE - 1n })
  expect(dear.payment.getState()).toMatchObject({ at: 'failed', during: 'wallet', error: { code: 'FeeTooHigh' } })
  expect(await sentBy()).toBe(0)

  wallet.sendCalls = (_calls, _options, onState) => {
    onState({ phase: 'submitted', step: 1, steps: 1, hash: HASH })
    return Promise.reject(new AppError('transaction_timeout', 'no receipt yet'))
  }
  const lost = await pay()
  expect(lost.payment.getState()).toMatchObject({ at: 'failed', during: 'waiting', hash: HASH })
})

test('ends early with nothing to pay or nobody connected', async () => {
  const { pay, wallet, market } = setup
  const payment = createPayment(wallet)
  expect(await payment.pay(market, () => Promise.resolve(undefined))).toBeUndefined()
  expect(payment.getState()).toEqual({ at: 'idle' })
  wallet.getAddress = () => undefined
  expect((await pay()).stages).toEqual([])
})

test('continues a dismissed attempt in the wallet, unseen', async () => {
  const { pay, wallet } = setup
  const { signTyped } = wallet
  const { receipt, stages } = await pay({}, (payment) => {
    wallet.signTyped = (message) => {
      payment.reset()
      return signTyped(message)
    }
  })
  expect(receipt).toBeDefined()
  expect(stages).toEqual(['quote permit', 'allow permit', 'idle'])
})

test('does not end the next attempt with a dismissed one', async () => {
  const { wallet, market } = setup
  const payment = createPayment(wallet)
  const [first, next] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
  const taken = payment.pay(market, () => first.promise)
  payment.reset()
  const paid = payment.pay(market, () => next.promise)
  first.resolve(undefined)
  await taken
  expect(payment.getState()).toEqual({ at: 'quote', way: 'permit' })
  next.resolve(undefined)
  await paid
  expect(payment.getState()).toEqual({ at: 'idle' })
})

test('resumes waiting for a payment once after a reload, to its receipt or failure', async () => {
  const { pay, wallet, market, revert } = setup
  const receipt = (await pay()).receipt
  const hash = receipt?.transactionHash
  const payment = createPayment(wallet, hash)
  const waiting = { at: 'waiting', way: 'direct', hash }
  expect(payment.getState()).toEqual(waiting)
  const states: object[] = []
  payment.subscribe(() => states.push(payment.getState()))
  await Promise.all([payment.resume(market), payment.resume(market)])
  expect(states).toEqual([waiting, { at: 'done', way: 'direct', hash, receipt }])
  expect(knownBlock()).toBe(Number(receipt?.blockNumber))

  const reverted = createPayment(wallet, await revert())
  await reverted.resume(market)
  expect(reverted.getState()).toMatchObject({ at: 'failed', during: 'waiting', error: { code: 'transaction_reverted' } })
})

test('waits for nothing after a reload without a payment', async () => {
  const { wallet, market } = setup
  const payment = createPayment(wallet)
  expect(payment.getState()).toEqual({ at: 'idle' })
  const resumed = payment.resume(market)
  expect(payment.getState()).toEqual({ at: 'idle' })
  await resumed
})

const HASH: Hash = `0x${'ab'.repeat(32)}`

async function start() {
  const chain: RunningChain = await startChain()
  const { provider, user, faucet } = chain.accounts
  const { rpcUrl, chainId } = chain
  const own = chainOf({ rpcUrl, chainId } as Parameters<typeof chainOf>[0])
  const client = createClient({ chain: own as Chain, transport: http(rpcUrl), pollingInterval: 50, cacheTime: 0 })
  const addresses = await readAddresses(client, chain.deployment.access)
  const market = { client, addresses, chainId, purses: undefined, explorerUrl: null }
  const writer = (account: LocalAccount) => createClient({ account, chain: own as Chain, transport: http(rpcUrl) })
  const send = async (account: LocalAccount, call: ReturnType<typeof contractCall>) =>
    waitForReceipt(client, await sendCall(client, writer(account), call))

  const pledge = parseEther('500')
  for (const { address } of [provider, user]) await send(faucet, contractCall(addresses, 'credit', 'transfer', [address, pledge]))
  await send(provider, registerCall(addresses, { name: 'helios', ip: '203.0.113.7', domain: '', port: 7070 }))
  await send(provider, contractCall(addresses, 'credit', 'approve', [addresses.pledge, pledge]))
  await send(provider, pledgeCall(addresses, pledge))
  const node = {
    ...{ cpuModel: 'Xeon Silver 4316', gpuModel: '', nCPU: 1, core: 20, nGPU: 0, nMEM: 0, nDISK: 0 },
    ...{ pCPU: PRICE, pGPU: 0n, pMEM: 0n, pDISK: 0n },
  }

  const wallet = {} as PaymentWallet
  const sent: string[][] = []
  const descriptions: string[] = []
  let before = 0
  let nodes = 0n
  const count = () => getTransactionCount(client, { address: user.address })
  return {
    ...{ chain, market, wallet, sent, descriptions },
    /** An ordinary key whose user always approves. */
    async reset() {
      before = await count()
      sent.length = 0
      descriptions.length = 0
      const signing = writer(user)
      Object.assign(wallet, {
        getAddress: () => user.address,
        isOnline: () => true,
        canBatch: () => Promise.resolve(false),
        signTyped: (message) => user.signTypedData(message as never),
        async sendCalls(calls, { description }, onState) {
          sent.push(calls.map(({ functionName }) => functionName))
          descriptions.push(description)
          let receipt: Awaited<ReturnType<typeof waitForReceipt>> | undefined
          for (const [index, call] of calls.entries()) {
            const progress = { step: index + 1, steps: calls.length }
            onState({ phase: 'wallet', ...progress })
            const hash = await sendCall(client, signing, call)
            onState({ phase: 'submitted', ...progress, hash })
            receipt = await waitForReceipt(client, hash)
          }
          if (!receipt) throw new Error('nothing to send')
          return receipt
        },
      } satisfies PaymentWallet)
    },
    sentBy: async () => (await count()) - before,
    allowance: () => readMarket(client, addresses, 'credit', 'allowance', [user.address, addresses.market as Address]),
    /** Sends a transfer above the balance, with a given gas limit so that no estimate refuses it first. */
    revert: () => {
      const call = contractCall(addresses, 'credit', 'transfer', [provider.address, parseEther('9999')])
      return writeContract(writer(user), { ...call, gas: 200_000n } as never)
    },
    /** Buys an unsold machine, and returns the stages it went through. */
    async pay(change: { feeWei?: bigint } = {}, begin: (payment: ReturnType<typeof createPayment>) => void = () => undefined) {
      await send(provider, addNodeCall(addresses, node))
      nodes += 1n
      const place = { provider: provider.address, nodeId: nodes, duration: 30 * 86_400 }
      const payment = createPayment(wallet)
      const stages: string[] = []
      payment.subscribe(() => {
        const state = payment.getState()
        const stage = state.at === 'idle' ? 'idle' : `${state.at} ${state.way}`
        if (stages.at(-1) !== stage) stages.push(stage)
      })
      begin(payment)
      const receipt = await payment.pay(market, async () => ({
        ...orderOffer(addresses, {
          ...place,
          ...(await quoteOrder(client, addresses, place.provider, place.nodeId, place.duration)),
          ...change,
        }),
        description: 'a machine',
        approveDescription: 'its price',
      }))
      return { payment, stages, receipt }
    },
  }
}

import { type Chain, startChain } from '@rackfair/testkit'
import {
  type Address,
  createClient,
  type Hex,
  http,
  numberToHex,
  parseSignature,
  serializeCompactSignature,
  serializeErc6492Signature,
  signatureToCompactSignature,
  type TransactionReceipt,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contractCall } from '../chain/contractCall.ts'
import { readAddresses } from '../chain/readAddresses.ts'
import type { Offer, PermitMessage } from './offers.ts'
import { type PayingAccount, payOffer } from './payOffer.ts'

let chain: Chain
let market: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  chain = await startChain()
  market = await setup()
})
afterAll(() => chain?.stop())

const key = privateKeyToAccount(generatePrivateKey())
const signPermit: PayingAccount['signPermit'] = (message) => key.signTypedData(message)
const refuse = () => Promise.resolve(undefined)
const batches = { canBatch: () => Promise.resolve(true) }

const PERMIT = ['allow permit', 'pay permit', 'pay: createOrderWithPermit']
const APPROVAL = ['allow permit', 'allow approve', 'approve: approve', 'pay approve', 'pay: createOrder']

test.each<[string, Partial<PayingAccount<undefined>>, { feeWei?: bigint; batchFails?: boolean }, string[]]>([
  ['a key signs a permit', {}, {}, ['allow permit', 'pay permit', 'pay: createOrderWithPermit']],
  ['a wallet that batches approves and pays at once', batches, {}, ['pay direct', 'pay: approve, createOrder']],
  [
    'a wallet that cannot say whether it batches does not',
    { canBatch: () => Promise.reject(new Error('unknown method')) },
    {},
    ['allow permit', 'pay permit', 'pay: createOrderWithPermit'],
  ],
  ['what is approved already is paid at once', {}, { feeWei: 0n }, ['pay direct', 'pay: createOrder']],
  ['approved already, a batch has one call', batches, { feeWei: 0n }, ['pay direct', 'pay: createOrder']],
  [
    'an account that turns out to be unable to sign a permit approves',
    { signPermit: () => Promise.resolve('unable') },
    {},
    ['allow permit', 'allow approve', 'approve: approve', 'pay approve', 'pay: createOrder'],
  ],
  ['a user who refuses the permit pays nothing', { signPermit: refuse }, {}, ['allow permit']],
  [
    'a batch that cannot be sent after all is left for a permit',
    batches,
    { batchFails: true },
    ['pay direct', 'pay: approve, createOrder', ...PERMIT],
  ],
  [
    'and the permit for an approval',
    { ...batches, signPermit: () => Promise.resolve('unable') },
    { batchFails: true },
    ['pay direct', 'pay: approve, createOrder', ...APPROVAL],
  ],
])('%s', async (_, account, offer, steps) => expect(await stepsOf(account, offer)).toEqual(steps))

test.each<[string, (signature: Hex, message: PermitMessage) => unknown, string[]]>([
  ['65 bytes', (signature) => signature, PERMIT],
  ['v of 0 or 1', (signature) => `${signature.slice(0, 130)}0${Number(signature.endsWith('1c'))}`, PERMIT],
  ['without 0x', (signature) => signature.slice(2), PERMIT],
  ['in capitals', (signature) => `0x${signature.slice(2).toUpperCase()}`, PERMIT],
  ['64 bytes of ERC-2098', (signature) => compact(signature), PERMIT],
  ['ERC-6492', (signature) => serializeErc6492Signature({ address: key.address, data: '0xab', signature }), APPROVAL],
  ['none', () => '0x', APPROVAL],
  ['another v', (signature) => `${signature.slice(0, 130)}07`, APPROVAL],
  ['a high s', (signature) => highS(signature), APPROVAL],
  ['zeros', () => `0x${'00'.repeat(65)}`, APPROVAL],
  ['somebody else’s', (_, message) => privateKeyToAccount(generatePrivateKey()).signTypedData(message), APPROVAL],
  ['of another text', () => key.signMessage({ message: 'x' }), APPROVAL],
  ['too long', () => `0x${'ab'.repeat(5000)}`, APPROVAL],
  ['null', () => null, APPROVAL],
  ['an object', (signature) => ({ signature }), APPROVAL],
])('pays by permit only with a signature that the contract takes: %s', async (_, change, steps) => {
  const signPermit = async (message: PermitMessage) => (await change(await key.signTypedData(message), message)) as Hex
  expect(await stepsOf({ signPermit })).toEqual(steps)
})

test('ends with an account that can send nothing', async () => {
  await expect(stepsOf({ send: () => Promise.resolve('unable') })).rejects.toMatchObject({ code: 'wallet_unable' })
})

test('approves with a smart account unless its user refuses', async () => {
  const smart = { address: market.addresses.credit }
  expect(await stepsOf(smart)).toEqual(['allow approve', 'approve: approve', 'pay approve', 'pay: createOrder'])
  expect(await stepsOf({ ...smart, send: refuse })).toEqual(['allow approve'])
})

test('approves exactly the price, for the Market that charges it', async () => {
  const sent: unknown[] = []
  const send: PayingAccount['send'] = async (_, calls) => {
    sent.push(...calls.map(({ address, args }) => [address, args]))
    return {} as TransactionReceipt
  }
  const offer = market.offer()
  await payOffer(market, { address: key.address, signPermit, ...batches, send }, offer)
  expect(sent[0]).toEqual([market.addresses.credit, [market.addresses.market, offer.feeWei]])
})

const compact = (signature: Hex): Hex => serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)))

/** The same signature again, with the other `s`. */
function highS(signature: Hex): Hex {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = numberToHex(order - BigInt(`0x${signature.slice(66, 130)}`), { size: 32 })
  return `${signature.slice(0, 66) as Hex}${s.slice(2)}${signature.endsWith('1b') ? '1c' : '1b'}`
}

/** What an account is asked for, in order. */
async function stepsOf(
  changes: Partial<PayingAccount<undefined>>,
  { batchFails = false, ...offer }: { feeWei?: bigint; batchFails?: boolean } = {},
): Promise<string[]> {
  const steps: string[] = []
  const account: PayingAccount<undefined> = {
    ...{ address: key.address, signPermit },
    send: async (step, calls) => {
      steps.push(`${step}: ${calls.map(({ functionName }) => functionName).join(', ')}`)
      return batchFails && calls.length > 1 ? 'unable' : ({} as TransactionReceipt)
    },
    ...changes,
  }
  await payOffer(market, account, market.offer(offer))
  const calls = steps.splice(0)
  await payOffer(market, account, market.offer(offer), {
    onAllow: (way) => steps.push(`allow ${way}`),
    onPay: (way) => steps.push(`pay ${way}`),
  })
  expect(steps.filter((step) => step.includes(':'))).toEqual(calls)
  return steps
}

async function setup() {
  const client = createClient({ transport: http(chain.rpcUrl), cacheTime: 0 })
  const addresses = await readAddresses(client, chain.deployment.access)
  const offer = ({ feeWei = 5n }: { feeWei?: bigint } = {}): Offer => {
    const conditions = { probation: 0, holdback: 0, penalty: 0, commissionBps: 0 }
    const provider: Address = chain.accounts.provider.address
    const input = { provider, nodeId: 1n, rev: 1, duration: 1, maxFee: feeWei, conditions, app: '' }
    return {
      ...{ feeWei, spender: addresses.market, plain: contractCall(addresses, 'market', 'createOrder', [input]) },
      withPermit: (permit) => contractCall(addresses, 'market', 'createOrderWithPermit', [input, permit]),
    }
  }
  return { client, addresses, chainId: chain.chainId, offer }
}

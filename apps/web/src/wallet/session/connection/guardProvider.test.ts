import { toWalletError } from '@rackfair/sdk/walletError'
import { expect, it } from 'vitest'
import { guardProvider } from './guardProvider.ts'
import { readBatchStatus, readCanBatch } from './walletAnswers.ts'

const TIMES = { quiet: 30, person: 30, transaction: 30 }
const answering = (answer: unknown) => guardProvider({ request: async () => answer }, TIMES)
const throwing = (thrown: unknown) => guardProvider({ request: () => Promise.reject(thrown) }, TIMES)
const HASH = `0x${'ab'.repeat(32)}`
const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

it.each<[string, unknown, unknown]>([
  ['eth_sendTransaction', HASH, HASH],
  ['eth_sendTransaction', HASH.slice(2).toUpperCase(), HASH],
  ['eth_sendTransaction', { hash: HASH }, HASH],
  ['eth_sendTransaction', { transactionHash: HASH }, HASH],
  ['eth_sendTransaction', { result: HASH }, HASH],
  ['personal_sign', '0x', '0x'],
  ['personal_sign', 'ab', '0xab'],
  ['personal_sign', { signature: '0xab' }, '0xab'],
  ['eth_signTypedData_v4', `0x${'1f'.repeat(4096)}`, `0x${'1f'.repeat(4096)}`],
  ['eth_accounts', [ADDRESS.toLowerCase()], [ADDRESS]],
  ['eth_accounts', null, []],
  ['eth_accounts', [null, 7, 'x', { address: ADDRESS }], [ADDRESS]],
  ['eth_requestAccounts', [ADDRESS], [ADDRESS]],
  ['eth_chainId', '0xba9', '0xba9'],
  ['eth_chainId', 2985, '0xba9'],
  ['eth_chainId', '2985', '0xba9'],
  ['eth_chainId', { chainId: '0xba9' }, '0xba9'],
  ['wallet_sendCalls', 'any text', { id: 'any text' }],
  ['wallet_sendCalls', { id: 'any text', capabilities: {} }, { id: 'any text' }],
  ['wallet_switchEthereumChain', undefined, undefined],
])('reads the answer to %s: %o', async (method, answer, read) =>
  expect(await answering(answer).request({ method })).toEqual(read),
)

it.each<[string, unknown, string]>([
  ['eth_sendTransaction', null, 'transaction_unknown'],
  ['eth_sendTransaction', {}, 'transaction_unknown'],
  ['eth_sendTransaction', '0x12', 'transaction_unknown'],
  ['eth_sendTransaction', 'x'.repeat(1_000_000), 'transaction_unknown'],
  ['wallet_sendCalls', undefined, 'transaction_unknown'],
  ['wallet_sendCalls', { id: 7 }, 'transaction_unknown'],
  ['wallet_sendCalls', 'x'.repeat(10_000), 'transaction_unknown'],
  ['personal_sign', null, 'wallet_unable'],
  ['personal_sign', '', 'wallet_unable'],
  ['eth_signTypedData_v4', {}, 'wallet_unable'],
  ['eth_signTypedData_v4', 'no', 'wallet_unable'],
  ['eth_signTypedData_v4', `0x${'1f'.repeat(4097)}`, 'wallet_unable'],
  ['eth_requestAccounts', null, 'wallet_unable'],
  ['eth_chainId', null, 'wallet_unable'],
  ['eth_chainId', '0x', 'wallet_unable'],
])('has a meaning for the odd answer to %s: %o', async (method, answer, code) =>
  expect(
    toWalletError(
      await answering(answer)
        .request({ method })
        .catch((error: unknown) => error),
    ).code,
  ).toBe(code),
)

it.each(['eth_chainId', 'personal_sign', 'eth_sendTransaction', 'wallet_anything'])(
  'ends %s without an answer',
  async (method) => {
    const waiting = answering(new Promise(() => undefined)).request({ method })
    expect(toWalletError(await waiting.catch((error: unknown) => error)).code).toBe('wallet_silent')
  },
)

it.each<[unknown, number | undefined]>([
  [{ code: -32603, message: 'denied by the user (0x6985)' }, 4001],
  ['cancelled', 4001],
  [{ code: '4001' }, 4001],
  [{ code: -32601, message: 'x' }, 4200],
  [{ code: 5750, message: 'x' }, 4200],
  [{ code: 4902, message: 'Unrecognized chain ID' }, 4902],
  [{ code: -32002, message: 'Already processing eth_requestAccounts' }, -32002],
  [undefined, undefined],
])('throws an Error with the number of what was meant: %o', async (thrown, code) => {
  const error = await throwing(thrown)
    .request({ method: 'personal_sign' })
    .catch((one: unknown) => one)
  expect(error).toBeInstanceOf(Error)
  expect((error as { code?: number }).code).toBe(code)
})

it.each([
  undefined,
  null,
  7,
  {},
  { request: 'no' },
  {
    request: () => {
      throw new Error('at once')
    },
  },
])('stands any provider: %o', async (provider) => {
  const guarded = guardProvider(provider, TIMES)
  await expect(guarded.request({ method: 'eth_accounts' })).rejects.toBeInstanceOf(Error)
  guarded.on('accountsChanged', () => undefined)
  guarded.removeListener('accountsChanged', () => undefined)
})

const ready = { atomic: { status: 'ready' } }
it.each<[unknown, boolean]>([
  [{ '0xba9': { atomic: { status: 'supported' } } }, true],
  [{ '0xba9': ready }, true],
  [{ '0x0BA9': ready }, true],
  [{ '2985': ready }, true],
  [{ 'eip155:2985': ready }, true],
  [{ '0x0': ready }, true],
  [{ '0x0': ready, '0xba9': { atomic: { status: 'unsupported' } } }, false],
  [{ '0x1': ready }, false],
  [{ '0xba9': { atomic: 'yes' } }, false],
  [{ '0xba9': null }, false],
  [null, false],
  ['yes', false],
  [[], false],
])('reads the capabilities %j', (answer, can) => expect(readCanBatch(answer, 2985)).toBe(can))

it.each<[unknown, string]>([
  [{ status: 100 }, 'pending'],
  [{ status: 'PENDING' }, 'pending'],
  [{ status: 200 }, 'done'],
  [{ status: '0xc8' }, 'done'],
  [{ status: 'success', statusCode: 200 }, 'done'],
  [{ status: 600 }, 'failed'],
  [{ status: null }, 'odd'],
  [{ status: [] }, 'odd'],
  [null, 'odd'],
])('reads the state of a batch: %j', (answer, state) => expect(readBatchStatus(answer)).toEqual({ state, hashes: [] }))

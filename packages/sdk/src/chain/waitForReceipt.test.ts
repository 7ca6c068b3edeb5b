import { createClient, custom, HttpRequestError, numberToHex, zeroAddress, zeroHash } from 'viem'
import { expect, it } from 'vitest'
import { waitForReceipt } from './waitForReceipt.ts'

const answerOf = (answer: unknown) => {
  if (answer instanceof Error) throw answer
  return answer
}

/** A stub of a chain on which one transaction of 3,200,000 gas was reverted; called again, it succeeds. */
function chainWith(gasUsed: bigint, changes: Record<string, unknown> = {}) {
  const place = { blockHash: zeroHash, blockNumber: '0x2', transactionIndex: '0x0', from: zeroAddress, to: zeroAddress }
  const transaction = {
    ...place,
    hash: zeroHash,
    gas: numberToHex(3_200_000),
    input: '0x',
    value: '0x0',
    nonce: '0x0',
    type: '0x2',
  }
  const answers: Record<string, unknown> = {
    eth_blockNumber: '0x2',
    eth_getTransactionByHash: transaction,
    eth_getTransactionReceipt: {
      ...place,
      ...{
        transactionHash: zeroHash,
        status: '0x0',
        gasUsed: numberToHex(gasUsed),
        cumulativeGasUsed: '0x0',
        logs: [],
        type: '0x2',
      },
    },
    eth_call: '0x',
    ...changes,
  }
  return createClient({
    transport: custom({ request: async ({ method }) => answerOf(answers[method]) }, { retryCount: 0 }),
    pollingInterval: 10,
  })
}

it.each([
  [3_200_000n, 'out of gas'],
  [3_100_000n, 'out of gas'],
  [3_099_999n, 'unknown reason'],
])('a transaction that used %i of 3,200,000 gas failed because of: %s', async (gasUsed, reason) => {
  await expect(waitForReceipt(chainWith(gasUsed), zeroHash)).rejects.toMatchObject({
    code: 'transaction_reverted',
    message: reason,
    facts: { reason, hash: zeroHash },
  })
})

it.each([
  ['does not answer', new HttpRequestError({ url: '' })],
  ['has no reason either', new Error('odd')],
])('falls back to the gas used as the reason where the chain %s on replay', async (_, error) => {
  const chain = (gasUsed: bigint) => chainWith(gasUsed, { eth_call: error })
  await expect(waitForReceipt(chain(3_200_000n), zeroHash)).rejects.toMatchObject({ message: 'out of gas' })
  await expect(waitForReceipt(chain(21_000n), zeroHash)).rejects.toMatchObject({ message: 'unknown reason' })
})

const pending = { eth_getTransactionReceipt: null }

it('a transaction that is not mined in time may still be mined', async () => {
  await expect(waitForReceipt(chainWith(0n, pending), zeroHash, { timeoutMs: 30 })).rejects.toMatchObject({
    ...{ code: 'transaction_timeout', facts: { hash: zeroHash }, retryable: true },
  })
})

it('waits for the requested number of confirmations', async () => {
  const chain = chainWith(0n)
  await expect(waitForReceipt(chain, zeroHash, { confirmations: 2, timeoutMs: 30 })).rejects.toMatchObject({
    code: 'transaction_timeout',
  })
  const later = chainWith(0n, { eth_blockNumber: '0x3' })
  await expect(waitForReceipt(later, zeroHash, { confirmations: 2 })).rejects.toMatchObject({ code: 'transaction_reverted' })
})

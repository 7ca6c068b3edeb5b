import { createClient, custom, numberToHex, zeroAddress, zeroHash } from 'viem'
import { expect, it } from 'vitest'
import { waitForReceipt } from './waitForReceipt.ts'

/** Answers of a chain on which one transaction of 3,200,000 gas was reverted; called again, it goes through. */
function chainWith(gasUsed: bigint) {
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
  }
  return createClient({
    transport: custom({ request: ({ method }) => Promise.resolve(answers[method]) }, { retryCount: 0 }),
    pollingInterval: 10,
  })
}

it.each([
  [3_200_000n, 'out of gas'],
  [3_100_000n, 'out of gas'],
  [3_099_999n, 'unknown reason'],
])('a transaction that used %i of 3,200,000 gas failed for: %s', async (gasUsed, reason) => {
  await expect(waitForReceipt(chainWith(gasUsed), zeroHash)).rejects.toMatchObject({
    code: 'transaction_reverted',
    message: reason,
    facts: { reason, hash: zeroHash },
  })
})

import { AppError } from '@rackfair/core'
import { type ErrorCode, RECEIPT_TIMEOUT_MS } from '@rackfair/sdk'
import type { Address, TransactionReceipt } from 'viem'
import { getTransactionReceipt } from 'viem/actions'
import type { Config } from 'wagmi'
import { getCapabilities, sendCalls, waitForCallsStatus } from 'wagmi/actions'
import type { Market } from '../../market.ts'
import type { SendOptions, TransactionState } from '../../transactionTypes.ts'
import type { WalletRuntime } from '../connection/WalletRuntime.ts'
import type { PlainCall } from './PlainCall.ts'

const ASK_MS = 2000

/** True when the wallet carries out several calls as one (EIP-5792, `atomic`). A wallet that does not answer cannot. */
export async function canBatch(wagmi: Config, account: Address): Promise<boolean> {
  const chainId = wagmi.chains[0].id
  const answer = getCapabilities(wagmi, { account, chainId }).then(
    (capabilities) => ['supported', 'ready'].includes(capabilities.atomic?.status ?? ''),
    () => false,
  )
  const silence = new Promise<false>((resolve) => {
    setTimeout(() => resolve(false), ASK_MS)
  })
  return Promise.race([answer, silence])
}

export async function sendBatch(
  { wagmi, transactions }: WalletRuntime,
  market: Market,
  from: Address,
  calls: readonly PlainCall[],
  options: SendOptions,
  onState: (state: TransactionState) => void,
): Promise<TransactionReceipt> {
  onState({ phase: 'wallet', step: 1, steps: 1 })
  const { id } = await sendCalls(wagmi, { account: from, calls: [...calls], forceAtomic: true, chainId: market.chainId })
  const { receipts, status } = await waitForCallsStatus(wagmi, { id, timeout: RECEIPT_TIMEOUT_MS })
  const hash = receipts?.at(-1)?.transactionHash
  if (hash === undefined)
    throw new AppError<ErrorCode>('transaction_reverted', 'The batch was not carried out', {
      facts: { reason: 'unknown reason' },
    })
  onState({ phase: 'submitted', step: 1, steps: 1, hash })
  transactions.add(from, market.chainId, { hash, description: options.description })
  transactions.settle(from, market.chainId, hash, status === 'success' ? 'confirmed' : 'failed')
  if (status !== 'success')
    throw new AppError<ErrorCode>('transaction_reverted', 'The batch was refused', { facts: { reason: 'unknown reason', hash } })
  return getTransactionReceipt(market.client, { hash })
}

import type { AppError } from '@rackfair/rules/errors/AppError'
import type { ErrorCode, PaymentWay } from '@rackfair/sdk'
import type { Hash, TransactionReceipt } from 'viem'

/**
 * What a payment waits for: the price to be confirmed, the Market to be allowed to take it, the wallet to send it, the chain to include it.
 * From `waiting` on money may be spent, whatever happens to this page.
 */
export type PaymentStage = 'quote' | 'allow' | 'wallet' | 'waiting'

interface PaymentFacts {
  way: PaymentWay
  /** Of the approval, where the account needed one. */
  approveHash?: Hash | undefined
  /** Of the payment. A batch has none before the wallet has carried it out. */
  hash?: Hash | undefined
}

/** A payment that was begun. */
export type PaymentProgress =
  | ({ at: PaymentStage } & PaymentFacts)
  | ({ at: 'failed'; during: PaymentStage; error: AppError<ErrorCode> } & PaymentFacts)
  | ({ at: 'done'; receipt: TransactionReceipt } & PaymentFacts)

/** `idle` also after the user declined. */
export type PaymentState = { at: 'idle' } | PaymentProgress

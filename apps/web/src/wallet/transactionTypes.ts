import type { AppError } from '@rackfair/core'
import type { ContractCall, ErrorCode } from '@rackfair/sdk'
import type { Hex, TransactionReceipt } from 'viem'

/** A call of the market (`contractCall` of the sdk), or a plain transfer of the chain's own currency. */
export type Call = ContractCall | { to: `0x${string}`; data?: Hex; value?: bigint }

export interface SendOptions {
  /** What the transaction does, in the user's language; kept with it in the account dialog. */
  description: string
  confirmations?: number
  /** Called with any failure, also when the screen that sent it is gone by then. */
  onFailed?: (error: AppError<ErrorCode>) => void
}

/**
 * Where a transaction is. `step` of `steps` counts from 1 when several are sent one after the other. The hash of a batch is not known
 * before the wallet has carried it out. `sent`: the wallet has taken it, so that money may be spent although it failed here.
 */
export type TransactionState =
  | { phase: 'idle' }
  | { phase: 'wallet'; step: number; steps: number }
  | { phase: 'submitted'; step: number; steps: number; hash: Hex | undefined }
  | { phase: 'confirmed'; hash: Hex; blockNumber: bigint; receipt: TransactionReceipt }
  | { phase: 'failed'; error: AppError<ErrorCode>; sent: boolean; hash: Hex | undefined }

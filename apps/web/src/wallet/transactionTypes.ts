import type { SendableCall } from '@rackfair/sdk'
import type { Hex } from 'viem'

/** A call of the market (`contractCall` of the sdk, or another of its calls), or a plain transfer of the chain's own currency. */
export type Call = SendableCall | { to: `0x${string}`; data?: Hex; value?: bigint }

export interface SendOptions {
  /** What the transaction does, in the user's language; kept with it in the account dialog. */
  description: string
  confirmations?: number
  /** Several calls are sent as one, or not at all: then it throws `wallet_unable`. */
  onlyAtOnce?: boolean
}

/**
 * Where a transaction is: its person is asked, or it is on its way. `step` of `steps` counts from 1 when several are sent one after the other.
 * The hash of a batch is not known before the wallet has carried it out.
 */
export type SendState =
  | { phase: 'wallet'; step: number; steps: number }
  | { phase: 'submitted'; step: number; steps: number; hash: Hex | undefined }

export type TransactionState = { phase: 'idle' | 'preparing' } | SendState

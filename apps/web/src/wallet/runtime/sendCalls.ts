import { AppError } from '@rackfair/core'
import type { ErrorCode } from '@rackfair/sdk'
import type { TransactionReceipt } from 'viem'
import type { Call, SendOptions, TransactionState } from '../transactionTypes.ts'

export async function sendCalls(
  _calls: readonly Call[],
  _options: SendOptions,
  _onState: (state: TransactionState) => void,
): Promise<TransactionReceipt> {
  throw new AppError<ErrorCode>('not_connected', 'No wallet is connected')
}

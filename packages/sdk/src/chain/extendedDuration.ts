import { marketAbi } from '@rackfair/contracts'
import { parseEventLogs, type TransactionReceipt } from 'viem'

/** How many seconds an order lasts in all since a transaction extended it; `undefined` when it extended none. */
export function extendedDuration(receipt: Pick<TransactionReceipt, 'logs'>): number | undefined {
  return parseEventLogs({ abi: marketAbi, eventName: 'OrderExtended', logs: receipt.logs })[0]?.args.duration
}

import { marketAbi } from '@rackfair/contracts'
import { parseEventLogs, type TransactionReceipt } from 'viem'

/** The total duration of an order in seconds after a transaction extended it; `undefined` if it extended none. */
export function extendedDuration(receipt: Pick<TransactionReceipt, 'logs'>): number | undefined {
  return parseEventLogs({ abi: marketAbi, eventName: 'OrderExtended', logs: receipt.logs })[0]?.args.duration
}

import { marketAbi } from '@rackfair/contracts'
import { parseEventLogs, type TransactionReceipt } from 'viem'

/** The id of the order that a transaction created; `undefined` if it created none. */
export function createdOrderId(receipt: Pick<TransactionReceipt, 'logs'>): bigint | undefined {
  return parseEventLogs({ abi: marketAbi, eventName: 'OrderCreated', logs: receipt.logs })[0]?.args.id
}

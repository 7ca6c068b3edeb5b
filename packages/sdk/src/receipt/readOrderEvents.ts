import { findingsAbi, marketAbi } from '@rackfair/contracts'
import { AppError } from '@rackfair/rules/errors/AppError'
import { type Address, type Hex, isAddressEqual, parseEventLogs } from 'viem'
import { getBlock, getTransactionReceipt } from 'viem/actions'
import type { ChainReader } from '../chain/ChainReader.ts'
import { toAppError } from '../errors/toAppError.ts'
import { eachAtOnce } from './eachAtOnce.ts'

/** More transactions than any order has. */
const MAX_TRANSACTIONS = 5_000

/** Events of the contract `Findings` about an order; the others are its Market's. */
const OF_FINDINGS = { Found: true, FindingDropped: true, DowntimeFinal: true }

/** An event of an order as recorded on the chain. */
export interface ChainEvent {
  name: string
  args: Record<string, unknown>
  transactionHash: Hex
  /** Unix seconds. */
  time: number
}

/**
 * What the transactions with these hashes did to an order: the events of its Market and of the monitors. A hash that the chain does not
 * know yields none.
 * @throws AppError if the chain cannot be read, or for more than 5,000 hashes.
 */
export async function readOrderEvents(
  client: ChainReader,
  { market, findings, orderId }: { market: Address; findings: Address | undefined; orderId: bigint },
  hashes: readonly Hex[],
): Promise<ChainEvent[]> {
  const named = new Set(hashes)
  if (named.size > MAX_TRANSACTIONS) throw new AppError('payload_too_large', `a receipt names ${named.size} transactions`)
  const times = new Map<bigint, Promise<number>>()
  const timeOf = (blockNumber: bigint) => {
    const known = times.get(blockNumber) ?? getBlock(client, { blockNumber }).then(({ timestamp }) => Number(timestamp))
    times.set(blockNumber, known)
    return known
  }
  const events: ChainEvent[] = []
  const read = async (hash: Hex) => {
    const receipt = await getTransactionReceipt(client, { hash }).catch((error: Error) => {
      if (error.name === 'TransactionReceiptNotFoundError') return undefined
      throw toAppError(error)
    })
    if (!receipt) return
    const time = await timeOf(receipt.blockNumber).catch((error: unknown) => {
      throw toAppError(error)
    })
    const { logs } = receipt
    const ofMarket = parseEventLogs({ abi: marketAbi, logs: logs.filter(({ address }) => isAddressEqual(address, market)) })
    const ofFindings = findings
      ? parseEventLogs({ abi: findingsAbi, logs: logs.filter(({ address }) => isAddressEqual(address, findings)) })
      : []
    for (const log of [...ofMarket, ...ofFindings].sort((one, other) => one.logIndex - other.logIndex)) {
      const args = log.args as Record<string, unknown>
      const isOfOrder =
        log.eventName in OF_FINDINGS
          ? args.orderId === orderId && isAddressEqual(args.market as Address, market)
          : args.id === orderId
      if (isOfOrder) events.push({ name: log.eventName, args, transactionHash: hash, time })
    }
  }
  await eachAtOnce(named, read)
  return events
}

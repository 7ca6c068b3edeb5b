import { findingsAbi } from '@rackfair/contracts'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { type Address, decodeFunctionData, getAbiItem, type Hex, isAddressEqual } from 'viem'
import { getLogs, getTransaction } from 'viem/actions'
import type { ChainReader } from '../chain/ChainReader.ts'
import { toAppError } from '../errors/toAppError.ts'
import type { Vote } from './publishedReports.ts'

/** Transactions that are looked at for one finding: each of them found more than the one before, in at most 96 epochs. */
const MOST = 96

/**
 * The votes that were submitted for the finding of an order in a period: what monitors reported that publish nothing stands there only.
 * Those that came through another contract are not seen.
 * @throws AppError if the chain cannot be read.
 * @example await submittedVotes(client, findings, { market, orderId: 12n, period: 7 })
 */
export async function submittedVotes(
  client: ChainReader,
  findings: Address,
  { market, orderId, period }: { market: LowerCaseAddress; orderId: bigint; period: number },
): Promise<Vote[]> {
  const event = getAbiItem({ abi: findingsAbi, name: 'Found' })
  const args = { market, orderId, period: BigInt(period) }
  try {
    const logs = await getLogs(client, { address: findings, event, args, fromBlock: 0n })
    const hashes = [...new Set(logs.map(({ transactionHash }) => transactionHash))].slice(0, MOST)
    const sent = await Promise.all(hashes.map((hash) => getTransaction(client, { hash })))
    return sent.flatMap(({ to, input }) => (to && isAddressEqual(to, findings) ? votesIn(input, args) : []))
  } catch (error) {
    throw toAppError(error)
  }
}

function votesIn(data: Hex, of: { market: LowerCaseAddress; orderId: bigint; period: bigint }): Vote[] {
  const { functionName, args } = decodeFunctionData({ abi: findingsAbi, data })
  if (functionName !== 'submit') return []
  const [market, orderId, period, votes] = args
  if (!isAddressEqual(market, of.market) || orderId !== of.orderId || period !== of.period) return []
  return votes.map(({ monitor, report, proof }) => ({ monitor: lowerCaseAddress(monitor), report, proof: [...proof] }))
}

import { monitorsAbi } from '@rackfair/contracts'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { type Calendar, neededToContest, speaksAgainst } from '@rackfair/rules/uptime/epoch'
import type { Address } from 'viem'
import type { ChainReader } from '../chain/ChainReader.ts'
import { readAt } from '../chain/readAt.ts'
import { type Vote, voteOf } from './publishedReports.ts'
import { readMonitorUrls } from './readMonitorUrls.ts'
import { readReports } from './readReports.ts'

/** Epochs that were found down and can be contested; `args` are those of `Monitors.contest`. */
export interface Contest {
  orderId: bigint
  period: number
  /** As a bitmap over the period. */
  epochs: bigint
  args: readonly [market: Address, orderId: bigint, period: bigint, votes: Vote[]]
}

/** An order and its node. */
export interface ContestedOrder {
  market: LowerCaseAddress
  orderId: bigint
  provider: LowerCaseAddress
  nodeId: bigint
}

/**
 * The votes that void the finding of an order in a period: reports of more than a third of all monitors, none of them drawn for the node,
 * that saw it up in more of these epochs than down. Undefined if there is no finding that can still be contested, or too few published such
 * a report.
 * @throws AppError if the chain cannot be read.
 */
export async function findContest(
  { client, monitors, calendar, chainId }: { client: ChainReader; monitors: Address; calendar: Calendar; chainId: number },
  { market, orderId, provider, nodeId }: ContestedOrder,
  period: number,
): Promise<Contest | undefined> {
  const contract = { address: monitors, abi: monitorsAbi } as const
  const finding = await readAt(client, { ...contract, functionName: 'findingOf', args: [market, orderId, BigInt(period)] })
  if (finding.down === 0n || finding.counted) return undefined
  const all = await readAt(client, { ...contract, functionName: 'monitors' })
  const candidates = new Set<LowerCaseAddress>()
  for (const account of all.map((one) => lowerCaseAddress(one))) {
    const { joinedAt, leftAt } = await readAt(client, { ...contract, functionName: 'monitorOf', args: [account] })
    const isThere = joinedAt <= calendar.startOf(period) && (leftAt === 0 || leftAt >= calendar.endOf(period))
    if (isThere && account !== provider) candidates.add(account)
  }
  const drawn = await readAt(client, { ...contract, functionName: 'assigned', args: [provider, nodeId, BigInt(period)] })
  const needed = neededToContest(candidates.size)
  const witnesses = new Set(candidates)
  for (const account of drawn) witnesses.delete(lowerCaseAddress(account))
  const urls = (await readMonitorUrls(client, monitors, chainId)).filter(({ monitor }) => witnesses.has(monitor))
  const votes: Vote[] = []
  for (const where of urls) {
    if (votes.length === needed) break
    const published = await readReports(client, monitors, chainId, where, period)
    const vote = published && voteOf(published, market, orderId)
    if (vote && speaksAgainst(vote.report, finding.down)) votes.push(vote)
  }
  if (votes.length < needed) return undefined
  votes.sort((a, b) => (BigInt(a.monitor) < BigInt(b.monitor) ? -1 : 1))
  return { orderId, period, epochs: finding.down, args: [market, orderId, BigInt(period), votes] }
}

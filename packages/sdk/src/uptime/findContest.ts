import { findingsAbi, monitorsAbi } from '@rackfair/contracts'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { neededToContest, speaksAgainst } from '@rackfair/rules/uptime/epoch'
import type { Address } from 'viem'
import type { ChainReader } from '../chain/ChainReader.ts'
import { readAt } from '../chain/readAt.ts'
import { type Vote, voteOf } from './publishedReports.ts'
import { readMonitorUrls } from './readMonitorUrls.ts'
import { readReports } from './readReports.ts'

/** Epochs that were found down and can be contested; `args` are those of `Findings.contest`. */
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
  { client, monitors, findings, chainId }: { client: ChainReader; monitors: Address; findings: Address; chainId: number },
  { market, orderId, provider, nodeId }: ContestedOrder,
  period: number,
): Promise<Contest | undefined> {
  const contract = { address: monitors, abi: monitorsAbi } as const
  const finding = await readAt(client, {
    ...{ address: findings, abi: findingsAbi, functionName: 'findingOf' },
    args: [market, orderId, BigInt(period)],
  })
  if (finding.down === 0n || finding.counted) return undefined
  const args = [provider, nodeId, BigInt(period)] as const
  const [drawn, candidates] = await readAt(client, { ...contract, functionName: 'drawOf', args })
  const needed = neededToContest(Number(candidates))
  const others = new Set<LowerCaseAddress>([provider, ...drawn.map(lowerCaseAddress)])
  const urls = (await readMonitorUrls(client, monitors, chainId, period)).filter(({ monitor }) => !others.has(monitor))
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

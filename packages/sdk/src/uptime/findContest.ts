import { findingsAbi, monitorsAbi } from '@rackfair/contracts'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { agreedDown, neededToContest } from '@rackfair/rules/uptime/epoch'
import type { Address } from 'viem'
import type { ChainReader } from '../chain/ChainReader.ts'
import { readAt } from '../chain/readAt.ts'
import { type Vote, voteOf } from './publishedReports.ts'
import { readMonitorUrls } from './readMonitorUrls.ts'
import { readReports } from './readReports.ts'

/** Epochs that were found down and are void once they are contested; `args` are those of `Findings.contest`. */
export interface Contest {
  orderId: bigint
  period: number
  /** As a bitmap over the period. */
  epochs: bigint
  args: readonly [market: Address, orderId: bigint, period: bigint, votes: Vote[]]
}

const seenUp = ({ report }: Vote): bigint => report.observed & ~report.down

/** An order and its node. */
export interface ContestedOrder {
  market: LowerCaseAddress
  orderId: bigint
  provider: LowerCaseAddress
  nodeId: bigint
}

/**
 * The votes that void what can be voided of the finding of an order in a period: the epochs that more than a third of all monitors, none of
 * them drawn for the node, saw up. Undefined if there is no finding that can still be contested, or too few published such a report.
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
  let votes: Vote[] = []
  let epochs = 0n
  for (const where of urls) {
    // None of what was found is left to void.
    if (epochs === finding.down) break
    const published = await readReports(client, monitors, chainId, where, period)
    const vote = published && voteOf(published, market, orderId)
    if (!vote || (seenUp(vote) & finding.down) === 0n) continue
    votes.push(vote)
    epochs = finding.down & agreedDown(votes.map(seenUp), needed)
  }
  if (epochs === 0n) return undefined
  // Each costs gas: those without which as much is void are left out.
  for (const vote of [...votes]) {
    const rest = votes.filter((one) => one !== vote)
    if ((finding.down & agreedDown(rest.map(seenUp), needed)) === epochs) votes = rest
  }
  votes.sort((a, b) => (BigInt(a.monitor) < BigInt(b.monitor) ? -1 : 1))
  return { orderId, period, epochs, args: [market, orderId, BigInt(period), votes] }
}

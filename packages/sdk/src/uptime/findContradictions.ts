import { monitorsAbi } from '@rackfair/contracts'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { Calendar } from '@rackfair/rules/uptime/epoch'
import type { Address, Hex } from 'viem'
import type { ChainReader } from '../chain/ChainReader.ts'
import { readAt } from '../chain/readAt.ts'
import { type Vote, voteOf } from './publishedReports.ts'
import { readMonitorUrls } from './readMonitorUrls.ts'
import { readReports } from './readReports.ts'
import { submittedVotes } from './submittedVotes.ts'

/** A monitor's acknowledgement that an agent answered, as the agent keeps it. */
export interface KeptWord {
  epoch: number
  monitor: LowerCaseAddress
  market: LowerCaseAddress
  orderId: bigint
  signature: string
}

/** A monitor that reports an epoch as down although it acknowledged it; `args` are those of `Monitors.proveContradiction`. */
export interface Contradiction {
  monitor: LowerCaseAddress
  period: number
  epoch: number
  orderId: bigint
  args: readonly [market: Address, orderId: bigint, period: bigint, vote: Vote, epoch: number, signature: Hex]
}

/** The contradictions that take a whole bond: a twentieth for the first, twice the part of the one before for each further one. */
const COSTS_ALL = 6

/**
 * Compares what monitors acknowledged with what they reported: published under their root on the chain, or submitted for a finding. Up to six
 * contradictions per monitor and period, which take all its bond. The first of them takes its votes of the period. Monitors of which neither
 * can be read are skipped.
 * @throws AppError if the chain cannot be read.
 */
export async function findContradictions(
  chain: { client: ChainReader; monitors: Address; findings: Address; calendar: Calendar; chainId: number },
  words: readonly KeptWord[],
): Promise<Contradiction[]> {
  const { client, monitors, calendar, chainId } = chain
  const contract = { address: monitors, abi: monitorsAbi } as const
  const found: Contradiction[] = []
  for (const [period, ofPeriod] of Map.groupBy(words, ({ epoch }) => calendar.periodOf(epoch))) {
    const urls = await readMonitorUrls(client, monitors, chainId, period)
    const votesOf = createSubmitted(chain, period)
    for (const [monitor, said] of Map.groupBy(ofPeriod, (word) => word.monitor)) {
      const { bond } = await readAt(client, { ...contract, functionName: 'monitorOf', args: [monitor] })
      if (bond === 0n) continue
      const where = urls.find((one) => one.monitor === monitor)
      const published = where && (await readReports(client, monitors, chainId, where, period))
      const voteFor = async ({ market, orderId }: KeptWord) =>
        published ? voteOf(published, market, orderId) : (await votesOf(market, orderId)).find((vote) => vote.monitor === monitor)
      for (const one of await contradictionsOf(said, voteFor, calendar.firstEpoch(period), period)) {
        const args = [monitor, one.args[0], one.orderId, BigInt(period)] as const
        const proven = await readAt(client, { ...contract, functionName: 'contradictedIn', args })
        if (((proven >> BigInt(one.args[4])) & 1n) === 0n) found.push(one)
      }
    }
  }
  return found
}

/** Reads the votes of each order once. */
function createSubmitted({ client, findings }: { client: ChainReader; findings: Address }, period: number) {
  const known = new Map<string, Promise<Vote[]>>()
  return (market: LowerCaseAddress, orderId: bigint): Promise<Vote[]> => {
    const key = `${market} ${orderId}`
    const votes = known.get(key) ?? submittedVotes(client, findings, { market, orderId, period })
    known.set(key, votes)
    return votes
  }
}

async function contradictionsOf(
  said: readonly KeptWord[],
  voteFor: (word: KeptWord) => Promise<Vote | undefined>,
  first: number,
  period: number,
): Promise<Contradiction[]> {
  const found: Contradiction[] = []
  for (const word of said) {
    const { epoch, monitor, market, orderId, signature } = word
    const vote = await voteFor(word)
    if (!vote || ((vote.report.down >> BigInt(epoch - first)) & 1n) === 0n) continue
    if (found.length === COSTS_ALL) break
    const args = [market, orderId, BigInt(period), vote, epoch - first, signature as Hex] as const
    found.push({ monitor, period, epoch, orderId, args })
  }
  return found
}

import { monitorsAbi } from '@rackfair/contracts'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { Calendar } from '@rackfair/rules/uptime/epoch'
import type { Address, Hex } from 'viem'
import type { ChainReader } from '../chain/ChainReader.ts'
import { readAt } from '../chain/readAt.ts'
import { type PublishedReports, type Vote, voteOf } from './publishedReports.ts'
import { type MonitorUrl, readMonitorUrls } from './readMonitorUrls.ts'
import { readReports } from './readReports.ts'

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
 * Compares what monitors acknowledged with what they published under their root on the chain: up to six contradictions per monitor and
 * period, which take all its bond. The first of them takes its votes of the period. Monitors that publish nothing are skipped.
 * @throws AppError if the chain cannot be read.
 */
export async function findContradictions(
  { client, monitors, calendar, chainId }: { client: ChainReader; monitors: Address; calendar: Calendar; chainId: number },
  words: readonly KeptWord[],
): Promise<Contradiction[]> {
  const contract = { address: monitors, abi: monitorsAbi } as const
  const periods = [...new Set(words.map(({ epoch }) => calendar.periodOf(epoch)))]
  const found: Contradiction[] = []
  for (const period of periods)
    for (const where of await readMonitorUrls(client, monitors, chainId, period)) {
      const said = words.filter((one) => isOf(one, where, period, calendar))
      if (said.length === 0) continue
      const { bond } = await readAt(client, { ...contract, functionName: 'monitorOf', args: [where.monitor] })
      const published = bond > 0n ? await readReports(client, monitors, chainId, where, period) : undefined
      if (!published) continue
      for (const one of contradictionsOf(published, said, calendar.firstEpoch(period))) {
        const args = [where.monitor, one.args[0], one.orderId, BigInt(period)] as const
        const proven = await readAt(client, { ...contract, functionName: 'contradictedIn', args })
        if (((proven >> BigInt(one.args[4])) & 1n) === 0n) found.push(one)
      }
    }
  return found
}

const isOf = (word: KeptWord, { monitor }: MonitorUrl, period: number, { periodOf }: Calendar) =>
  periodOf(word.epoch) === period && word.monitor === monitor

function contradictionsOf(published: PublishedReports, said: readonly KeptWord[], first: number): Contradiction[] {
  const { monitor, period } = published
  const found: Contradiction[] = []
  for (const { epoch, market, orderId, signature } of said) {
    const vote = voteOf(published, market, orderId)
    if (!vote || ((vote.report.down >> BigInt(epoch - first)) & 1n) === 0n) continue
    if (found.length === COSTS_ALL) break
    const args = [market, orderId, BigInt(period), vote, epoch - first, signature as Hex] as const
    found.push({ monitor, period, epoch, orderId, args })
  }
  return found
}

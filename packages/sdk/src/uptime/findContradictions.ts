import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { Calendar } from '@rackfair/rules/uptime/epoch'
import type { Address, Hex } from 'viem'
import type { ChainReader } from '../chain/ChainReader.ts'
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

/**
 * Compares what monitors acknowledged with what they published under their root on the chain: one contradiction per monitor and period,
 * which takes its bond and drops every finding that rests on it. Monitors that publish nothing are skipped.
 * @throws AppError if the chain cannot be read.
 */
export async function findContradictions(
  { client, monitors, calendar, chainId }: { client: ChainReader; monitors: Address; calendar: Calendar; chainId: number },
  words: readonly KeptWord[],
): Promise<Contradiction[]> {
  const urls = await readMonitorUrls(client, monitors, chainId)
  const periods = [...new Set(words.map(({ epoch }) => calendar.periodOf(epoch)))]
  const found: Contradiction[] = []
  for (const period of periods)
    for (const where of urls) {
      const said = words.filter((one) => isOf(one, where, period, calendar))
      const published = said.length > 0 ? await readReports(client, monitors, chainId, where, period) : undefined
      const contradiction = published && firstContradiction(published, said, calendar.firstEpoch(period))
      if (contradiction) found.push(contradiction)
    }
  return found
}

const isOf = (word: KeptWord, { monitor }: MonitorUrl, period: number, { periodOf }: Calendar) =>
  periodOf(word.epoch) === period && word.monitor === monitor

function firstContradiction(published: PublishedReports, said: readonly KeptWord[], first: number): Contradiction | undefined {
  const { monitor, period } = published
  for (const { epoch, market, orderId, signature } of said) {
    const vote = voteOf(published, market, orderId)
    if (!vote || ((vote.report.down >> BigInt(epoch - first)) & 1n) === 0n) continue
    const args = [market, orderId, BigInt(period), vote, epoch - first, signature as Hex] as const
    return { monitor, period, epoch, orderId, args }
  }
  return undefined
}

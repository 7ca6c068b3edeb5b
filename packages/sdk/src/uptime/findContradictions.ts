import type { Calendar } from '@rackfair/core'
import type { Address, Hex } from 'viem'
import type { ChainReader } from '../chain/ChainReader.ts'
import { type PublishedReports, type Vote, voteOf } from './publishedReports.ts'
import { type MonitorUrl, readMonitorUrls } from './readMonitorUrls.ts'
import { readReports } from './readReports.ts'

/** A monitor's word that an agent answered, as the agent keeps it. */
export interface KeptWord {
  epoch: number
  monitor: string
  market: string
  orderId: bigint
  signature: string
}

/** A monitor that reports an epoch as down which it acknowledged; `args` are those of `Monitors.proveContradiction`. */
export interface Contradiction {
  monitor: Address
  period: number
  epoch: number
  orderId: bigint
  args: readonly [market: Address, orderId: bigint, period: bigint, vote: Vote, epoch: number, signature: Hex]
}

/**
 * Compares what monitors acknowledged with what they published under the root that is on chain: one contradiction for each monitor and period, which
 * takes its bond and drops every finding that rests on it. Monitors that publish nothing are left out.
 * @throws AppError when the chain cannot be read.
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
      const published = said.length > 0 ? await readReports(client, monitors, where, period) : undefined
      const contradiction = published && firstContradiction(published, said, calendar.firstEpoch(period))
      if (contradiction) found.push(contradiction)
    }
  return found
}

const isOf = (word: KeptWord, { monitor }: MonitorUrl, period: number, { periodOf }: Calendar) =>
  periodOf(word.epoch) === period && word.monitor.toLowerCase() === monitor.toLowerCase()

function firstContradiction(published: PublishedReports, said: readonly KeptWord[], first: number): Contradiction | undefined {
  const { monitor, period } = published
  for (const { epoch, market, orderId, signature } of said) {
    const vote = voteOf(published, market as Address, orderId)
    if (!vote || ((vote.report.down >> BigInt(epoch - first)) & 1n) === 0n) continue
    const args = [market as Address, orderId, BigInt(period), vote, epoch - first, signature as Hex] as const
    return { monitor, period, epoch, orderId, args }
  }
  return undefined
}

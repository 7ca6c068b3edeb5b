import type { LowerCaseAddress } from '@rackfair/rules/address'
import { encodeAbiParameters, type Hex, keccak256, parseAbiParameters } from 'viem'
import { type PublishedReports, type Vote, voteOf } from './publishedReports.ts'
import { placeOf } from './reports.ts'
import { drawnEntry } from './reportTree.ts'

/** As many reports as `Monitors.earn` takes. */
const MAX_SAMPLES = 8
const TARGET = parseAbiParameters('string, bytes32, address, uint256')

/** A report that is drawn. `epoch` is the one to show, counted from the first of the period; undefined where the order was never up. */
export interface DrawnReport {
  market: LowerCaseAddress
  orderId: bigint
  vote: Vote
  epoch: number | undefined
}

/**
 * What of a monitor's reports the beacon of the period three later draws, in the order in which `Monitors.earn` takes it: those without an
 * epoch in which the order was up, and the first that has one; undefined if there is none among eight.
 */
export function drawnReports(published: PublishedReports, beacon: Hex): DrawnReport[] | undefined {
  const { monitor, reports } = published
  const keys = reports.map(placeOf)
  const drawn: DrawnReport[] = []
  for (let index = 0n; index < MAX_SAMPLES; index += 1n) {
    const target = keccak256(encodeAbiParameters(TARGET, ['sample', beacon, monitor, index]))
    const report = reports[drawnEntry(keys, target)]
    const vote = report && voteOf(published, report.market, report.orderId)
    if (!vote) return undefined
    const epoch = pickedEpoch(report.observed & ~report.down, BigInt(keccak256(target)))
    drawn.push({ market: report.market, orderId: report.orderId, vote, epoch })
    if (epoch !== undefined) return drawn
  }
  return undefined
}

/** One of the epochs that are set, by a random number, as the contract library Epochs picks it. */
function pickedEpoch(bits: bigint, random: bigint): number | undefined {
  const epochs = [...bits.toString(2)].reverse().flatMap((bit, epoch) => (bit === '1' ? [epoch] : []))
  return epochs.length === 0 ? undefined : epochs[Number(random % BigInt(epochs.length))]
}

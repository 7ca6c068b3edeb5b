import { findingsAbi, monitorsAbi } from '@rackfair/contracts'
import type { OrderEvidenceAnswer } from '@rackfair/protocol/uptime'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import { agreedDown, type Calendar, epochsOf, neededVotes } from '@rackfair/rules/uptime/epoch'
import { type Address, getAbiItem, type Hex, isAddressEqual, zeroHash } from 'viem'
import { getLogs } from 'viem/actions'
import type { ChainReader } from '../chain/ChainReader.ts'
import { readAt } from '../chain/readAt.ts'
import { rootReachedBy } from '../uptime/reports.ts'
import { eachAtOnce } from './eachAtOnce.ts'
import { createCheck, type ReceiptCheck } from './ReceiptVerdict.ts'

/** Reports of one period. An order has five monitors drawn for it, and now and then each of the others probes it. */
const MAX_VOTES = 500
/** Monitors may report an order before it starts, and in the periods in which it starts and ends. */
const EXTRA_SECONDS = 2 * 86_400

export interface Downtime {
  check: ReceiptCheck
  /** What is final on the chain, by period, oldest first. */
  findings: { period: number; down: bigint }[]
}

interface Where {
  client: ChainReader
  monitors: Address
  findings: Address
  calendar: Calendar
  market: Address
  orderId: bigint
  /** What the order was paid for, as the chain says. */
  duration: number
}

/**
 * Checks an order's downtime against the contracts of its monitors: each report of the evidence has to lie under the root that its monitor
 * revealed on the chain, each epoch that counts has to be in as many reports as the contract requires, and all periods have to add up to
 * the downtime that the contract knows.
 * @throws AppError if the chain cannot be read; `payload_too_large` for more periods than the order has, or more reports than a period has.
 */
export async function checkDowntime(where: Where, { periods }: OrderEvidenceAnswer): Promise<Downtime> {
  const { client, findings: address, calendar, market, orderId } = where
  const check = createCheck('downtime')
  const contract = { address, abi: findingsAbi } as const
  const findings: Downtime['findings'] = []
  const roots = await rootsOf(where, periods)
  for (const { period, votes } of periods.toSorted((a, b) => a.period - b.period)) {
    const downs: bigint[] = []
    let isWhole = true
    for (const [index, vote] of votes.entries()) {
      const root = roots.get(keyOf(period, vote))
      // A monitor slashed over this period has lost its vote, even if it was counted before.
      if (root === zeroHash) isWhole = false
      else check.same(`report of ${vote.monitor} over period ${period}`, reachedBy(where, period, vote), root)
      const isTwice = votes.findIndex(({ monitor }) => isAddressEqual(monitor as Address, vote.monitor as Address)) !== index
      if (!isTwice) downs.push(BigInt(vote.down))
    }
    const finding = await readAt(client, { ...contract, functionName: 'findingOf', args: [market, orderId, BigInt(period)] })
    if (!finding.counted) continue
    findings.push({ period, down: finding.down | finding.proven })
    const missing = epochsOf(calendar, period, finding.down & ~agreedDown(downs, neededVotes(0)))
    if (missing.length > 0 && (!isWhole || (await hasLostAWord(where, period)))) continue
    for (const epoch of missing) check.same(`reports of epoch ${epoch}`, undefined, 'counted as down')
  }
  const { total, before } = await readAt(client, { ...contract, functionName: 'downtimeOf', args: [market, orderId] })
  const epochs = findings.reduce((sum, { period, down }) => sum + epochsOf(calendar, period, down).length, 0)
  check.same('seconds of downtime', epochs * calendar.epochSeconds, total - before)
  return { check: check.done(), findings }
}

type Vote = OrderEvidenceAnswer['periods'][number]['votes'][number]

/** Whether a monitor was slashed over a period. False as well if the node does not serve logs. */
async function hasLostAWord({ client, monitors }: Where, period: number): Promise<boolean> {
  const event = getAbiItem({ abi: monitorsAbi, name: 'MonitorSlashed' })
  const logs = await getLogs(client, { address: monitors, event, args: { period: BigInt(period) }, fromBlock: 0n }).catch(
    () => [],
  )
  return logs.length > 0
}

/** The roots that the monitors of these votes revealed: each is read once, however often the platform names it. */
async function rootsOf(
  { client, monitors, calendar, duration }: Where,
  periods: OrderEvidenceAnswer['periods'],
): Promise<Map<string, Hex>> {
  const maxPeriods = Math.ceil((duration + EXTRA_SECONDS) / calendar.periodSeconds)
  if (periods.length > maxPeriods) throw new AppError('payload_too_large', `the evidence names ${periods.length} periods`)
  const asked = new Map<string, readonly [Address, bigint]>()
  for (const { period, votes } of periods) {
    if (votes.length > MAX_VOTES) throw new AppError('payload_too_large', `period ${period} has ${votes.length} reports`)
    for (const vote of votes) asked.set(keyOf(period, vote), [vote.monitor as Address, BigInt(period)])
  }
  const roots = new Map<string, Hex>()
  await eachAtOnce(asked, async ([key, args]) => {
    roots.set(key, await readAt(client, { address: monitors, abi: monitorsAbi, functionName: 'rootOf', args }))
  })
  return roots
}

const keyOf = (period: number, { monitor }: Vote): string => `${lowerCaseAddress(monitor)} ${period}`

const reachedBy = ({ market, orderId }: Where, period: number, { observed, down, proof }: Vote): Hex =>
  rootReachedBy(period, { market, orderId, observed: BigInt(observed), down: BigInt(down) }, proof as Hex[])

import { findingsAbi, monitorsAbi } from '@rackfair/contracts'
import type { ReliabilityAnswer } from '@rackfair/protocol/reliability'
import type { OrderEvidenceAnswer } from '@rackfair/protocol/uptime'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { type Calendar, createCalendar, epochRuns, epochsOf, PRODUCTION_PACE } from '@rackfair/rules/uptime/epoch'
import { commissionWeight, type FinalDowntime, nodeHistory, type ObservedEpochs } from '@rackfair/rules/uptime/nodeHistory'
import { type Evidence, evidenceOf } from '@rackfair/rules/uptime/reliability'
import { type Address, getAbiItem, type Hex, zeroHash } from 'viem'
import { getBlock, getLogs } from 'viem/actions'
import type { ChainReader } from '../chain/ChainReader.ts'
import { readAt } from '../chain/readAt.ts'
import { toAppError } from '../errors/toAppError.ts'
import { readMonitors } from './readMonitors.ts'
import { readSoldOrders, type SoldOrder } from './readSoldOrders.ts'
import { rootReachedBy } from './reports.ts'

const DAY_SECONDS = 86_400
/** The platform rounds its figures to a millionth. */
const ROUNDING = 2e-6

export interface ReliabilityVerdict {
  /** Chain and evidence confirm what the platform says. */
  agrees: boolean
  said: Evidence
  found: Evidence
  /** Orders found on the chain. */
  orders: number
  /** Reports of the evidence that lie under no root on the chain; they do not count. */
  refused: number
}

/** A node, or without `nodeId` all nodes of a provider together. */
export interface RatedMachine {
  provider: Address
  nodeId?: bigint | undefined
}

/** Reads what was reported of an order in some periods; undefined if there is nothing. */
export type EvidenceReader = (
  order: { id: string; market: LowerCaseAddress },
  periods: readonly number[],
) => Promise<Pick<OrderEvidenceAnswer, 'periods'> | undefined>

/**
 * Recomputes the reliability of a node or a provider from the chain and what monitors reported. It trusts nothing that the platform says:
 * the provider's orders are read from every Market, downtime and maintenance from the contract `Findings`, and a report counts only if it
 * lies under the root that its monitor revealed there. Withheld evidence shows as fewer days; `checkReliability` also asks the monitors for
 * it.
 *
 * @param access The market's Access contract, the only address a program has to know.
 * @param answer As `api.nodeReliability` or `api.providerReliability` returns it.
 * @param evidence Of the orders it was sold for, as `api.orderEvidence` returns it, or a function that reads it.
 * @throws AppError if the chain cannot be read, its logs included.
 * @example const { agrees, found } = await verifyReliability(client, access, { provider, nodeId: 1n }, answer, [evidence])
 */
export async function verifyReliability(
  client: ChainReader,
  access: Address,
  machine: RatedMachine,
  { reliability }: Pick<ReliabilityAnswer, 'reliability'>,
  evidence: readonly OrderEvidenceAnswer[] | EvidenceReader,
): Promise<ReliabilityVerdict> {
  const { provider, nodeId } = machine
  const now = Number((await orAppError(getBlock(client))).timestamp)
  const day = reliability?.day ?? Math.floor(now / DAY_SECONDS)
  const said = reliability ?? evidenceOf([], day)
  const contract = await readMonitors(client, access)
  const calendar = createCalendar(contract?.pace ?? PRODUCTION_PACE)
  const { orders, own } = await readSoldOrders(client, access, provider, now)
  const weight = commissionWeight(orders, own)
  const read: EvidenceReader =
    typeof evidence === 'function' ? evidence : async (order) => evidence.find(({ orderId }) => orderId === order.id)
  const slashed = contract ? await readSlashed(client, contract.address) : new Set<LowerCaseAddress>()
  const rated = orders.filter((order) => nodeId === undefined || order.nodeId === nodeId)
  const days = []
  let refused = 0
  for (const [node, mine] of Map.groupBy(rated, (order) => order.nodeId)) {
    const seen = contract
      ? await readSeen(
          { client, monitors: contract.address, findings: contract.findings, calendar, now, provider, nodeId: node, slashed },
          mine,
          read,
        )
      : { observed: [], downtime: [], maintenance: [], refused: 0 }
    refused += seen.refused
    days.push(...nodeHistory(calendar, { ...seen, orders: mine, own, weight }).days)
  }
  const found = evidenceOf(days, day)
  const isSame = (field: keyof Evidence) => Math.abs(said[field] - found[field]) <= ROUNDING
  return {
    agrees: isSame('failures') && isSame('observedDays'),
    said: { failures: said.failures, observedDays: said.observedDays },
    ...{ found, orders: rated.length, refused },
  }
}

interface Where {
  client: ChainReader
  monitors: Address
  findings: Address
  calendar: Calendar
  now: number
  provider: Address
  nodeId: bigint
  slashed: ReadonlySet<LowerCaseAddress>
}

/** What monitors say of the orders of a node, as far as the chain confirms it. */
async function readSeen(where: Where, orders: readonly SoldOrder[], read: EvidenceReader) {
  const { client, calendar, now, slashed } = where
  const contract = { address: where.monitors, abi: monitorsAbi } as const
  const counted = { address: where.findings, abi: findingsAbi } as const
  const observed: ObservedEpochs[] = []
  const downtime: FinalDowntime[] = []
  const announced = new Set<number>()
  let refused = 0
  for (const order of orders) {
    const { id, market, activateTime, duration, closeTime } = order
    const orderId = BigInt(id)
    const last = calendar.periodAt(Math.min(now, closeTime || activateTime + duration))
    const periods: number[] = []
    if (activateTime > 0) for (let period = calendar.periodAt(activateTime); period <= last; period += 1) periods.push(period)
    for (const { period, votes } of (await read(order, periods))?.periods ?? []) {
      // One vote per monitor.
      for (const [monitor, vote] of new Map(votes.map((one) => [lowerCaseAddress(one.monitor), one]))) {
        const args = [monitor, BigInt(period)] as const
        const root = await readAt(client, { ...contract, functionName: 'rootOf', args })
        const report = { market, orderId, observed: BigInt(vote.observed), down: BigInt(vote.down) }
        if (root === zeroHash || rootReachedBy(period, report, vote.proof as Hex[]) !== root) refused += 1
        else if (!slashed.has(monitor)) observed.push({ orderId: id, period, observed: report.observed })
      }
    }
    for (const period of periods) {
      const finding = await readAt(client, { ...counted, functionName: 'findingOf', args: [market, orderId, BigInt(period)] })
      if (finding.counted) downtime.push({ orderId: id, period, down: finding.down | finding.proven })
      const args = [where.provider, where.nodeId, BigInt(period)] as const
      const bits = await readAt(client, { ...counted, functionName: 'maintenanceIn', args })
      for (const epoch of epochsOf(calendar, period, bits)) announced.add(epoch)
    }
  }
  return { observed, downtime, maintenance: epochRuns(announced), refused }
}

/** Monitors that ever contradicted themselves: none of their observations count. */
async function readSlashed(client: ChainReader, monitors: Address): Promise<Set<LowerCaseAddress>> {
  const event = getAbiItem({ abi: monitorsAbi, name: 'MonitorSlashed' })
  const logs = await orAppError(getLogs(client, { address: monitors, event, fromBlock: 0n, strict: true }))
  return new Set(logs.map(({ args }) => lowerCaseAddress(args.monitor)))
}

function orAppError<T>(reading: Promise<T>): Promise<T> {
  return reading.catch((error: unknown) => {
    throw toAppError(error)
  })
}

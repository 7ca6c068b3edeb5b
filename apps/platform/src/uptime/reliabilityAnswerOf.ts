import type { OutageWire, ReliabilityAnswer } from '@rackfair/protocol/reliability'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { OrderStatus } from '@rackfair/rules/order/status'
import { type Calendar, epochRuns, epochsOf, epochsOfRuns } from '@rackfair/rules/uptime/epoch'
import { maintenanceMonthEpochs } from '@rackfair/rules/uptime/maintenance'
import type { Database } from '../store/openStore.ts'
import type { FindingTable } from '../store/tables.ts'
import { type HistoryRows, readHistories } from './readHistories.ts'
import { reliabilityOf } from './reliabilityOf.ts'

const MAX_SHOWN = 500
/** The maximum number of nodes of a provider: all of them may have announced maintenance. */
const MAX_PLANNED = 1000
const MAX_USED = 5000

/** The reliability of a node, or of all nodes of a provider, with all the evidence for it. `now` is the time of the newest block. */
export async function reliabilityAnswerOf(
  db: Database,
  calendar: Calendar,
  now: number,
  provider: LowerCaseAddress,
  nodeId?: number,
): Promise<Omit<ReliabilityAnswer, 'block'>> {
  const all = await readHistories(db, calendar, now, provider)
  const rows = [...all].filter(([key]) => nodeId === undefined || key === `${provider}|${nodeId}`).map(([, value]) => value)
  const monitored = await db.selectFrom('monitor').select('address').where('bond', '<>', '0').limit(1).executeTakeFirst()
  return {
    reliability:
      reliabilityOf(
        rows.map(({ history }) => history),
        Math.floor(now / 86_400),
      ) ?? null,
    monitored: monitored !== undefined,
    outages: await outagesOf(
      db,
      calendar,
      rows.flatMap(({ findings }) => findings),
      rows,
    ),
    maintenance: await plannedMaintenance(db, calendar, now, provider, nodeId),
    maintenanceUsed: await usedMaintenance(db, calendar, now, provider, nodeId),
    brokenOrders: await brokenOrdersOf(db, rows),
  }
}

/** Runs of epochs of an order, each with its transaction and the number of monitors that agree. Newest first. */
export async function outagesOf(
  db: Database,
  calendar: Calendar,
  findings: readonly FindingTable[],
  histories: readonly Pick<HistoryRows, 'nodeId' | 'maintenance'>[] = [],
): Promise<OutageWire[]> {
  const announcedOf = new Map(histories.map(({ nodeId, maintenance }) => [nodeId, epochsOfRuns(maintenance)]))
  const outages: OutageWire[] = []
  const isIn = (run: ReadonlySet<number>, period: number, bits: string) =>
    epochsOf(calendar, period, BigInt(bits)).some((epoch) => run.has(epoch))
  for (const [orderId, each] of Map.groupBy(findings, (finding) => String(finding.orderId))) {
    const votes = await votesOf(db, orderId)
    for (const state of ['found', 'final'] as const) {
      const own = each.filter((finding) => finding.state === state)
      const down = own.flatMap(({ period, down: bits }) => epochsOf(calendar, period, BigInt(bits)))
      const isAnnounced = (epoch: number) => announcedOf.get(own[0]?.nodeId ?? 0)?.has(epoch) ?? false
      const runs = [true, false].flatMap((announced) =>
        epochRuns(down.filter((epoch) => isAnnounced(epoch) === announced)).map((run) => ({ ...run, announced })),
      )
      for (const { first, last, announced } of runs) {
        const period = calendar.periodOf(last)
        const finding = own.find((one) => one.period === period) as FindingTable
        const said = votes.filter((vote) => vote.period === period)
        const run = new Set(Array.from({ length: last - first + 1 }, (_, index) => first + index))
        outages.push({
          ...{ nodeId: finding.nodeId, orderId, state, finalAt: finding.finalAt, announced },
          ...{ from: first * calendar.epochSeconds, until: (last + 1) * calendar.epochSeconds, epochs: last - first + 1 },
          agreed: said.filter(({ down }) => isIn(run, period, down)).length,
          reported: said.filter(({ observed }) => isIn(run, period, observed)).length,
          transactionHash: state === 'final' ? finding.finalHash : finding.foundHash,
        })
      }
    }
  }
  return outages.sort((a, b) => b.from - a.from).slice(0, MAX_SHOWN)
}

/** Announced maintenance that is not over, the next first. */
async function plannedMaintenance(
  db: Database,
  { epochSeconds }: Calendar,
  now: number,
  provider: LowerCaseAddress,
  nodeId?: number,
) {
  let planned = db
    .selectFrom('maintenance')
    .selectAll()
    .where('provider', '=', provider)
    .where('times', '>', 0)
    .where(({ eb }) => eb(eb('firstEpoch', '+', eb.ref('epochs')), '>', Math.floor(now / epochSeconds)))
    .orderBy('firstEpoch')
    .orderBy('nodeId')
    .limit(MAX_PLANNED)
  if (nodeId !== undefined) planned = planned.where('nodeId', '=', nodeId)
  return (await planned.execute()).map(({ nodeId: id, firstEpoch, epochs }) => ({
    ...{ nodeId: id, from: firstEpoch * epochSeconds, until: (firstEpoch + epochs) * epochSeconds },
  }))
}

/** What counts against what a node may announce from now on: all that begins after the time of a month ago. */
async function usedMaintenance(db: Database, calendar: Calendar, now: number, provider: LowerCaseAddress, nodeId?: number) {
  const { epochSeconds } = calendar
  let announced = db
    .selectFrom('maintenance')
    .selectAll()
    .where('provider', '=', provider)
    .where('times', '>', 0)
    .where('firstEpoch', '>', calendar.epochAt(now) - maintenanceMonthEpochs(calendar))
    .orderBy('firstEpoch')
    .orderBy('nodeId')
    .limit(MAX_USED)
  if (nodeId !== undefined) announced = announced.where('nodeId', '=', nodeId)
  return (await announced.execute()).map(({ nodeId: id, firstEpoch, epochs, times }) => ({
    ...{ nodeId: id, from: firstEpoch * epochSeconds, seconds: epochs * times * epochSeconds, pieces: times },
  }))
}

/** What monitors published of an order, as far as its root is on the chain. */
export function votesOf(db: Database, orderId: string) {
  return db
    .selectFrom('observation')
    .innerJoin('monitorReport as report', (join) =>
      join
        .onRef('report.monitor', '=', 'observation.monitor')
        .onRef('report.period', '=', 'observation.period')
        .onRef('report.root', '=', 'observation.root'),
    )
    .select(['observation.period', 'observation.monitor', 'observation.observed', 'observation.down', 'observation.proof'])
    .where('observation.orderId', '=', BigInt(orderId))
    .orderBy('observation.period')
    .orderBy('observation.monitor')
    .execute()
}

async function brokenOrdersOf(db: Database, rows: readonly HistoryRows[]): Promise<ReliabilityAnswer['brokenOrders']> {
  const broken = rows.flatMap(({ orders }) => orders.filter(({ status }) => status === OrderStatus.ProviderCancelled))
  const newest = broken.sort((a, b) => b.closeTime - a.closeTime).slice(0, MAX_SHOWN)
  if (newest.length === 0) return []
  const closed = await db
    .selectFrom('orderEvent')
    .select(['orderId', 'transactionHash'])
    .where('name', '=', 'OrderClosed')
    .where(
      'orderId',
      'in',
      newest.map(({ id }) => BigInt(id)),
    )
    .execute()
  const hashOf = new Map(closed.map(({ orderId, transactionHash }) => [String(orderId), transactionHash]))
  return newest.map(({ id, nodeId, closeTime }) => ({
    ...{ nodeId, orderId: String(id), time: closeTime, transactionHash: hashOf.get(String(id)) ?? '' },
  }))
}

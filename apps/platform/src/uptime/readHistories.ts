import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { Calendar, EpochRun } from '@rackfair/rules/uptime/epoch'
import { commissionWeight, type NodeHistory, nodeHistory } from '@rackfair/rules/uptime/nodeHistory'
import type { Database } from '../store/openStore.ts'
import type { FindingTable, OrderTable } from '../store/tables.ts'

const KEPT_SECONDS = 400 * 86_400

/** The public evidence on a node, and the history derived from it. */
export interface HistoryRows {
  nodeId: number
  history: NodeHistory
  orders: Pick<OrderTable, 'id' | 'nodeId' | 'status' | 'closeTime'>[]
  findings: FindingTable[]
  maintenance: EpochRun[]
}

/**
 * The histories of the nodes of one provider, or of all, by `provider|nodeId`: what the chain says of their orders and findings, and what
 * monitors, except slashed ones, published under the roots on the chain.
 */
export async function readHistories(
  db: Database,
  calendar: Calendar,
  now: number,
  provider?: LowerCaseAddress,
): Promise<Map<string, HistoryRows>> {
  const since = now - KEPT_SECONDS
  const columns = [
    'id',
    'provider',
    'nodeId',
    'user',
    'status',
    'activateTime',
    'closeTime',
    'duration',
    'commissionBps',
    'commission',
  ] as const
  let orderQuery = db
    .selectFrom('order')
    .select(columns)
    .where(({ or, eb }) => or([eb('closeTime', '=', 0), eb('closeTime', '>=', since)]))
  let findingQuery = db.selectFrom('finding').selectAll().where('state', '<>', 'dropped')
  let maintenanceQuery = db
    .selectFrom('maintenance')
    .selectAll()
    .where('times', '>', 0)
    .where('firstEpoch', '>=', calendar.epochAt(since))
    .where('firstEpoch', '<=', calendar.epochAt(now))
  let observedQuery = db
    .selectFrom('observation')
    .innerJoin('monitorReport as report', (join) =>
      join
        .onRef('report.monitor', '=', 'observation.monitor')
        .onRef('report.period', '=', 'observation.period')
        .onRef('report.root', '=', 'observation.root'),
    )
    .innerJoin('order', 'order.id', 'observation.orderId')
    .leftJoin('monitor', 'monitor.address', 'observation.monitor')
    .select(['observation.orderId', 'observation.period', 'observation.observed'])
    .where('observation.period', '>=', calendar.periodAt(since))
    .where(({ or, eb }) => or([eb('monitor.slashedAt', 'is', null), eb('monitor.slashedAt', '=', 0)]))
  let operatorQuery = db.selectFrom('provider').select(['address', 'operator'])
  if (provider !== undefined) {
    operatorQuery = operatorQuery.where('address', '=', provider)
    orderQuery = orderQuery.where('provider', '=', provider)
    findingQuery = findingQuery.where('provider', '=', provider)
    maintenanceQuery = maintenanceQuery.where('provider', '=', provider)
    observedQuery = observedQuery.where('order.provider', '=', provider)
  }
  const [orders, findings, observed, maintenance, operators] = await Promise.all([
    orderQuery.execute(),
    findingQuery.execute(),
    observedQuery.execute(),
    maintenanceQuery.execute(),
    operatorQuery.execute(),
  ])
  const operatorOf = new Map(operators.map(({ address, operator }) => [address, operator]))
  const ordersOfProvider = Map.groupBy(orders, (row) => row.provider)
  const observedOf = Map.groupBy(observed, ({ orderId }) => String(orderId))
  const findingsOf = Map.groupBy(findings, (row) => `${row.provider}|${row.nodeId}`)
  const maintenanceOf = Map.groupBy(maintenance, (row) => `${row.provider}|${row.nodeId}`)
  const histories = new Map<string, HistoryRows>()
  for (const [cp, all] of ordersOfProvider) {
    const own = [cp, operatorOf.get(cp) ?? cp]
    const weight = commissionWeight(
      all.map(({ user, commission }) => ({ user, commission: BigInt(commission) })),
      own,
    )
    for (const [nodeId, rows] of Map.groupBy(all, (row) => row.nodeId)) {
      const key = `${cp}|${nodeId}`
      const found = findingsOf.get(key) ?? []
      const announced = (maintenanceOf.get(key) ?? []).map(({ firstEpoch, epochs }) => ({
        ...{ first: firstEpoch, last: firstEpoch + epochs - 1 },
      }))
      const history = nodeHistory(calendar, {
        maintenance: announced,
        ...{ own, weight, orders: rows.map((row) => ({ ...row, id: String(row.id) })) },
        observed: rows.flatMap(({ id }) =>
          (observedOf.get(String(id)) ?? []).map(({ period, observed: bits }) => ({
            ...{ orderId: String(id), period, observed: BigInt(bits) },
          })),
        ),
        downtime: found
          .filter(({ state }) => state === 'final')
          .map(({ orderId, period, down }) => ({ orderId: String(orderId), period, down: BigInt(down) })),
      })
      histories.set(key, { nodeId, history, orders: rows, findings: found, maintenance: announced })
    }
  }
  return histories
}

import type { MarketEvent } from '@rackfair/protocol/events'
import { buildReportTree, fetchReports, isMonitorUrl, type PublishedReports } from '@rackfair/sdk/uptime'
import { insertChanges } from '../store/insertChanges.ts'
import { insertRows } from '../store/insertRows.ts'
import { inTransaction, type Session, type Store } from '../store/openStore.ts'
import { selectByKeys } from '../store/selectByKeys.ts'
import type { MonitorReportTable, ObservationTable } from '../store/tables.ts'
import { createLanes } from './createLanes.ts'

/** Reports per round: a platform that starts from scratch reads years of them in batches. */
const MAX_REPORTS = 100
/** Delay before asking a monitor again that did not answer for a period; doubles with each failure up to a maximum. */
const RETRY_MS = 5_000
const MAX_RETRY_MS = 600_000
/** For reports under another root: to build the tree of 100,000 of them takes seconds of processor time. */
const WRONG_RETRY_MS = 86_400_000
/** Maximum number of failures remembered. */
const MAX_FAILED = 10_000

interface Collector {
  store: Store
  chainId: number
  clock: () => number
  onNews: () => void
  onProblem: (facts: object) => void
  /** How long one monitor is read in a round, in milliseconds. */
  laneMs?: number
}

/**
 * Fetches what monitors published under the roots they revealed. Nothing is trusted: reports that do not match the root on the chain are
 * dropped, and each row records its root, so that it no longer counts if that root is reverted with its block.
 */
export function createCollector({ store, chainId, clock, onNews, onProblem, laneMs }: Collector) {
  const inLanes = createLanes({ clock, laneMs })
  const failed = new Map<string, { count: number; until: number }>()
  const done = new Set<string>()

  /** How many of the missing reports were tried from the newest on: those that nobody publishes must not hide the earlier ones. */
  let tried = 0

  const missing = (offset: number): Promise<(MonitorReportTable & { url: string })[]> =>
    store.db
      .selectFrom('monitorReport as report')
      .innerJoin('monitor', 'monitor.address', 'report.monitor')
      .selectAll('report')
      .select('monitor.url')
      .where('report.root', '<>', '')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('observation')
              .select('observation.root')
              .whereRef('observation.period', '=', 'report.period')
              .whereRef('observation.monitor', '=', 'report.monitor')
              .whereRef('observation.root', '=', 'report.root'),
          ),
        ),
      )
      .orderBy('report.period', 'desc')
      .orderBy('report.monitor')
      .limit(MAX_REPORTS)
      .offset(offset)
      .execute()

  /** The newest missing reports, and some earlier ones, further back in each round. */
  const next = async () => {
    const newest = await missing(0)
    const earlier = tried > 0 ? await missing(tried) : newest
    tried = earlier.length === MAX_REPORTS ? tried + MAX_REPORTS : 0
    const rows = new Map([...newest, ...earlier].map((row) => [keyOf(row), row]))
    return [...rows.values()].filter((row) => !done.has(keyOf(row)) && isMonitorUrl(row.url, chainId))
  }

  const collect = async (row: MonitorReportTable, url: string): Promise<void> => {
    const key = keyOf(row)
    const { count, until } = failed.get(key) ?? { count: 0, until: 0 }
    if (clock() < until) return
    let waitMs = Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** count)
    try {
      const published = await fetchReports(url, chainId, row.period)
      const tree = await buildReportTree(row.period, published.reports)
      if (tree.root !== row.root) {
        waitMs = WRONG_RETRY_MS
        throw new Error('the reports do not have the root that the monitor revealed')
      }
      await keep(store, row, published, tree.proof)
      done.add(key)
      onNews()
    } catch (error) {
      if (failed.size > MAX_FAILED) failed.clear()
      failed.set(key, { count: count + 1, until: clock() + waitMs })
      onProblem({ url, period: row.period, reason: String(error) })
    }
  }

  let isRunning = false
  return async (): Promise<void> => {
    if (isRunning) return
    isRunning = true
    try {
      for (const key of await withdraw(store)) {
        done.delete(key)
        onNews()
      }
      await inLanes(
        await next(),
        ({ monitor }) => monitor,
        ({ url, ...row }) => collect(row, url.replace(/\/+$/, '')),
      )
    } finally {
      isRunning = false
    }
  }
}

const keyOf = ({ monitor, period, root }: Pick<MonitorReportTable, 'monitor' | 'period' | 'root'>) =>
  `${monitor} ${period} ${root}`

/**
 * Deletes reports whose root is no longer on the chain, for example because the monitor was slashed over them. Returns their keys: monitor,
 * period and root.
 */
async function withdraw(store: Store): Promise<Set<string>> {
  const rows = await store.db
    .selectFrom('observation')
    .innerJoin('monitorReport as report', (join) =>
      join.onRef('report.monitor', '=', 'observation.monitor').onRef('report.period', '=', 'observation.period'),
    )
    .whereRef('report.root', '<>', 'observation.root')
    .selectAll('observation')
    .limit(MAX_REPORTS)
    .execute()
  if (rows.length === 0) return new Set()
  await inTransaction(store, async (session) => {
    for (const { orderId, period, monitor } of rows)
      await session.db
        .deleteFrom('observation')
        .where('orderId', '=', orderId)
        .where('period', '=', period)
        .where('monitor', '=', monitor)
        .execute()
    await tellNodes(session, await ordersOf(session, rows))
  })
  return new Set(rows.map(keyOf))
}

/** Stores the reports of orders that this market has, and notifies viewers of the nodes affected. */
async function keep(
  store: Store,
  { monitor, period, root }: MonitorReportTable,
  { reports }: PublishedReports,
  proof: (index: number) => string[],
): Promise<void> {
  const hex = (bits: bigint) => `0x${bits.toString(16)}`
  await inTransaction(store, async (session) => {
    const markets = new Set(
      (await session.db.selectFrom('contract').select('address').where('kind', '=', 'market').execute()).map(
        (row) => row.address,
      ),
    )
    const indexed = reports.map((report, index) => ({ ...report, index }))
    const ours = indexed.filter(({ market, orderId }) => markets.has(market) && orderId < 2n ** 63n)
    const orders = await ordersOf(session, ours)
    const rows = ours
      .filter(({ orderId }) => orders.has(String(orderId)))
      .map(
        ({ market, orderId, observed, down, index }): ObservationTable => ({
          ...{ monitor, period, market, orderId, root },
          ...{ observed: hex(observed), down: hex(down), proof: JSON.stringify(proof(index)) },
        }),
      )
    await insertRows(session, 'observation', rows, ['orderId', 'period', 'monitor'])
    await tellNodes(session, orders)
  })
}

/** Notifies everyone who follows the nodes of these orders. */
async function tellNodes(session: Session, orders: Awaited<ReturnType<typeof ordersOf>>): Promise<void> {
  const nodes = new Map([...orders.values()].map(({ provider, nodeId }) => [`${provider}|${nodeId}`, { provider, nodeId }]))
  const block = (await session.db.selectFrom('cursor').select('block').executeTakeFirst())?.block ?? 0
  await insertChanges(
    session,
    [...nodes.values()].map(({ provider, nodeId }) => {
      const event: MarketEvent = { type: 'node', cp: provider, nodeId, block: Math.max(0, block) }
      return { topic: event.type, user: '', body: JSON.stringify(event) }
    }),
  )
}

async function ordersOf(session: Session, reports: readonly { orderId: number | bigint }[]) {
  const rows = await selectByKeys(
    session,
    'order',
    reports.map(({ orderId }) => ({ id: String(orderId) })),
  )
  return new Map(rows.map((row) => [String(row.id), row]))
}

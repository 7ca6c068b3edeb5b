import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { FindingTable, MonitorTable } from '../../store/tables.ts'
import type { ChainEvent } from '../decodeLog.ts'
import type { Fold } from '../Fold.ts'
import type { Handlers } from './Handlers.ts'

/** Some 10 million years: nobody announces maintenance beyond it. */
const MAX_EPOCH = 2n ** 40n

/** What monitors commit to, report and find. `eventsOf` only passes findings of our own Markets. */
export const monitorHandlers: Handlers = {
  MonitorJoined: (fold, { args, time }) =>
    patchMonitor(fold, args.monitor, { bond: String(args.bond), joinedAt: time, leftAt: 0, slashedAt: 0 }),
  MonitorAnnounced: (fold, { args }) => patchMonitor(fold, args.monitor, { url: args.url }),
  MonitorLeft: (fold, { args, time }) => patchMonitor(fold, args.monitor, { leftAt: time }),
  BondReturned: (fold, { args }) => patchMonitor(fold, args.monitor, { bond: '0' }),
  MonitorSlashed: (fold, { args, time }) => {
    const before = BigInt(fold.find('monitor', args.monitor)?.bond ?? 0)
    patchMonitor(fold, args.monitor, { bond: String(before - args.amount), slashedAt: time })
    // Reports under it do not count.
    patchReport(fold, args.monitor, args.period, { root: '' })
  },

  Committed: (fold, { args, time, transactionHash }) =>
    patchReport(fold, args.monitor, args.period, { committedAt: time, commitHash: transactionHash }),
  Revealed: (fold, { args, time, transactionHash }) =>
    patchReport(fold, args.monitor, args.period, { root: args.root, revealedAt: time, revealHash: transactionHash }),

  Found: (fold, event) =>
    putFinding(fold, event, { down: `0x${event.args.down.toString(16)}`, finalAt: event.args.finalAt, state: 'found' }),
  FindingDropped: (fold, event) => putFinding(fold, event, { down: '0x0', state: 'dropped' }),
  DowntimeFinal: (fold, event) =>
    putFinding(fold, event, { state: 'final', total: event.args.total, finalHash: event.transactionHash }),

  MaintenanceAnnounced: (fold, { args }) => countMaintenance(fold, args, 1),
  MaintenanceWithdrawn: (fold, { args }) => countMaintenance(fold, args, -1),
}

function patchMonitor(fold: Fold, address: LowerCaseAddress, change: Partial<MonitorTable>): void {
  const fresh: MonitorTable = { address, url: '', bond: '0', joinedAt: 0, leftAt: 0, slashedAt: 0 }
  fold.put('monitor', { ...(fold.find('monitor', address) ?? fresh), ...change })
}

function patchReport(fold: Fold, monitor: LowerCaseAddress, at: bigint, change: object): void {
  const period = Number(at)
  const fresh = { monitor, period, root: '', committedAt: 0, revealedAt: 0, commitHash: '', revealHash: '' }
  fold.put('monitorReport', { ...(fold.find('monitorReport', `${monitor}|${period}`) ?? fresh), ...change })
}

/** Anybody may announce anything: only what concerns a known node is kept. */
function countMaintenance(fold: Fold, args: ChainEvent<'MaintenanceAnnounced'>['args'], change: 1 | -1): void {
  const { provider } = args
  const node = fold.find('node', `${provider}|${args.nodeId}`)
  if (!node || args.firstEpoch > MAX_EPOCH) return
  const key = `${provider}|${args.nodeId}|${args.firstEpoch}|${args.epochs}`
  const times = (fold.find('maintenance', key)?.times ?? 0) + change
  fold.put('maintenance', { provider, nodeId: node.id, firstEpoch: Number(args.firstEpoch), epochs: args.epochs, times })
  // Notifies viewers of the node.
  fold.put('node', node)
}

type FindingEvent = ChainEvent<'Found' | 'FindingDropped' | 'DowntimeFinal'>

function putFinding(fold: Fold, { args, transactionHash }: FindingEvent, change: Partial<FindingTable>): void {
  const [orderId, period] = [args.orderId, Number(args.period)]
  const order = fold.get('order', String(orderId))
  const fresh: FindingTable = {
    ...{ orderId, period, market: args.market, provider: order.provider, nodeId: order.nodeId },
    ...{ down: '0x0', finalAt: 0, state: 'found', total: 0, foundHash: transactionHash, finalHash: '' },
  }
  fold.put('finding', { ...(fold.find('finding', `${orderId}|${period}`) ?? fresh), ...change })
  // Notifies viewers of the order, and of the list with its node: both show findings.
  fold.put('order', order)
}

import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { Session } from '../store/openStore.ts'
import type { ChainEvent } from './decodeLog.ts'
import type { Fold } from './Fold.ts'

/** Loads the rows that the events of Monitors may read: monitors, their reports, findings, and a node's announced maintenance. */
export async function prefetchMonitors(session: Session, fold: Fold, events: readonly ChainEvent[]): Promise<void> {
  const monitors = new Set<string>()
  const reports = new Set<string>()
  const findings = new Set<string>()
  const nodes = new Set<string>()
  const maintenance = new Set<string>()
  for (const event of events) {
    if (event.kind !== 'monitors') continue
    const { monitor, period, orderId } = event.args as { monitor?: LowerCaseAddress; period?: bigint; orderId?: bigint }
    if (monitor !== undefined) monitors.add(monitor)
    if (monitor !== undefined && period !== undefined) reports.add(`${monitor}|${period}`)
    if (event.name === 'MaintenanceAnnounced' || event.name === 'MaintenanceWithdrawn') {
      const { provider, nodeId, firstEpoch, epochs } = event.args as ChainEvent<'MaintenanceAnnounced'>['args']
      nodes.add(`${provider}|${nodeId}`)
      maintenance.add(`${provider}|${nodeId}|${firstEpoch}|${epochs}`)
    }
    if (orderId !== undefined && period !== undefined) findings.add(`${orderId}|${period}`)
  }
  await fold.load(session, 'monitor', monitors)
  await fold.load(session, 'monitorReport', reports)
  await fold.load(session, 'finding', findings)
  await fold.load(session, 'node', nodes)
  await fold.load(session, 'maintenance', maintenance)
}

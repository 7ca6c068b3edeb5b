import type { Session } from '../store/openStore.ts'
import type { ChainEvent } from './decodeLog.ts'
import type { Fold } from './Fold.ts'

/** Loads the rows that the events of Monitors may read: monitors, their reports, and what was found. */
export async function prefetchMonitors(session: Session, fold: Fold, events: readonly ChainEvent[]): Promise<void> {
  const monitors = new Set<string>()
  const reports = new Set<string>()
  const findings = new Set<string>()
  for (const event of events) {
    if (event.kind !== 'monitors') continue
    const { monitor, period, orderId } = event.args as { monitor?: string; period?: bigint; orderId?: bigint }
    if (monitor !== undefined) monitors.add(monitor.toLowerCase())
    if (monitor !== undefined && period !== undefined) reports.add(`${monitor.toLowerCase()}|${period}`)
    if (orderId !== undefined && period !== undefined) findings.add(`${orderId}|${period}`)
  }
  await fold.load(session, 'monitor', monitors)
  await fold.load(session, 'monitorReport', reports)
  await fold.load(session, 'finding', findings)
}

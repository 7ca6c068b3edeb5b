import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { Session } from '../store/openStore.ts'
import type { RawLog } from './ChainSource.ts'
import { type ChainEvent, type ContractKind, decodeLog } from './decodeLog.ts'
import { eventArgsText } from './eventArgsText.ts'
import type { Fold } from './Fold.ts'
import { handleEvent } from './handlers/index.ts'
import { prefetch } from './prefetch.ts'
import { statSteps } from './statSteps.ts'

/** The events of our contracts among these logs. `kinds` maps an address to its kind of contract. */
export function eventsOf(logs: readonly RawLog[], kinds: ReadonlyMap<string, ContractKind>): ChainEvent[] {
  const events: ChainEvent[] = []
  for (const log of logs) {
    const kind = kinds.get(log.address)
    const event = kind && decodeLog(kind, log)
    if (event && isOurs(event, kinds)) events.push(event)
  }
  return events
}

/** Folds events into rows without writing anything. */
export async function foldEvents(session: Session, fold: Fold, events: readonly ChainEvent[]): Promise<void> {
  await prefetch(session, fold, events)
  for (const event of events) {
    const before = fold.get('globalStat', '1')
    handleEvent(fold, event)
    const after = fold.get('globalStat', '1')
    if (before !== after) {
      const { id: _, ...totals } = after
      for (const bucket of statSteps(event.time)) fold.put('statBucket', { ...bucket, ...totals })
    }
    const orderId = orderIdOf(event)
    if (orderId !== undefined) {
      const { block, logIndex, name, time, transactionHash } = event
      fold.orderEvents.push({ block, logIndex, orderId, name, time, transactionHash, args: eventArgsText(event.args) })
    }
  }
}

/** Anybody can have monitors find something for an order of a contract that is not one of our Markets. */
function isOurs({ kind, args }: ChainEvent, kinds: ReadonlyMap<string, ContractKind>): boolean {
  const market = kind === 'monitors' ? (args as { market?: LowerCaseAddress }).market : undefined
  return market === undefined || kinds.get(market) === 'market'
}

function orderIdOf({ kind, args }: ChainEvent): bigint | undefined {
  if (kind === 'market') return (args as { id?: bigint }).id
  return kind === 'monitors' ? (args as { orderId?: bigint }).orderId : undefined
}

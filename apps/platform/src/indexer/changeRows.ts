import type { MarketEvent } from '@rackfair/protocol/events'
import type { NewChange } from '../store/insertChanges.ts'
import type { FoldTable } from './foldTables.ts'

/** The message for one written row; `undefined` for rows without a topic. */
export function changeOf(table: FoldTable, key: string, row: object, block: number): NewChange | undefined {
  const [first = '', second = ''] = key.split('|')
  if (table === 'provider') return message('', { type: 'provider', cp: first, block })
  if (table === 'pledgeAccount') return message('', { type: 'provider', cp: second, block })
  if (table === 'pledge') return message('', { type: 'provider', cp: first, block })
  if (table === 'node') return message('', { type: 'node', cp: first, nodeId: Number(second), block })
  if (table === 'order') {
    const { user, provider } = row as { user: string; provider: string }
    return message(user, { type: 'order', orderId: first, user, provider, block })
  }
  return undefined
}

export function resetChange(block: number): NewChange {
  return message('', { type: 'reset', block })
}

function message(user: string, event: MarketEvent): NewChange {
  return { topic: event.type, user, body: JSON.stringify(event) }
}

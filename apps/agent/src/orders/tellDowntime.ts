import { isLost } from '@rackfair/rules/order/money'
import { isTerminal } from '@rackfair/rules/order/status'
import type { ChainOrder } from '../chain/read/chainView.ts'
import type { Log } from '../foundation/log.ts'

/** Logs, once per change, at `now` in Unix seconds, what final downtime reports cost the provider of an order, and when anybody may close it. */
export function createDowntimeTeller(log: Pick<Log, 'warn' | 'error'>) {
  const told = new Map<bigint, string>()
  return (orders: Iterable<ChainOrder>, now: number): void => {
    const present = new Set<bigint>()
    for (const order of orders) {
      const { id, down, creditedTwice, downSince, status } = order
      if (isTerminal(status)) continue
      present.add(id)
      const lost = isLost(order, now)
      const state = `${down} ${creditedTwice} ${lost}`
      if (down === 0 || told.get(id) === state) continue
      told.set(id, state)
      const facts = { orderId: String(id), downSeconds: down, paidOnceMoreSeconds: creditedTwice }
      if (lost) log.error(CLOSABLE, { ...facts, since: new Date(downSince * 1000).toISOString() })
      else log.warn('downtime was reported: it is not paid, and beyond what a month allows the pledge pays for it', facts)
    }
    for (const id of told.keys()) if (!present.has(id)) told.delete(id)
  }
}

const CLOSABLE =
  'anyone can close this order: final reports say that this machine was away for 24 hours without a break; its buyer is paid out of the pledge'

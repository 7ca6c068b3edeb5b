import type { Log } from 'viem'
import { parseEventLogs } from 'viem'
import { marketAbi, ORDER_STATUS } from '../ts/index.ts'

/** The money of an order as far as the Market's events tell it. */
export interface ReplayedOrder {
  status: number
  rate: bigint
  totalValue: bigint
  remuneration: bigint
  refunded: bigint
  commission: bigint
  activateTime: number
  lastSettleTime: number
  duration: number
  down: number
  reportedUntil: number
  downSince: number
  /** Of a cancelled order, what waits for reports. */
  pending: bigint
  deployed: boolean
}

/** Rebuilds every order from the Market's logs and nothing else. */
export function replayOrders(logs: Log[]): Map<bigint, ReplayedOrder> {
  const orders = new Map<bigint, ReplayedOrder>()
  const of = (id: bigint) => {
    const order = orders.get(id)
    if (!order) throw new Error(`an event of order ${id} before its creation`)
    return order
  }
  for (const { eventName, args } of parseEventLogs({ abi: marketAbi, logs })) {
    switch (eventName) {
      case 'OrderCreated': {
        orders.set(args.id, {
          status: ORDER_STATUS.Created,
          rate: args.rate,
          totalValue: args.totalValue,
          remuneration: 0n,
          refunded: 0n,
          commission: 0n,
          activateTime: 0,
          lastSettleTime: 0,
          duration: args.duration,
          down: 0,
          reportedUntil: 0,
          downSince: 0,
          pending: 0n,
          deployed: false,
        })
        break
      }
      case 'OrderActivated':
        Object.assign(of(args.id), { status: ORDER_STATUS.Active, activateTime: args.time, lastSettleTime: args.time })
        break
      case 'OrderDeployed':
        of(args.id).deployed = true
        break
      case 'OrderExtended':
        of(args.id).duration = args.duration
        of(args.id).totalValue += args.paid
        break
      case 'OrderSettled':
        of(args.id).remuneration += args.gross
        of(args.id).commission += args.commission
        of(args.id).lastSettleTime = args.upTo
        break
      case 'DowntimeCredited':
        Object.assign(of(args.id), { down: args.total, reportedUntil: args.asOf, downSince: args.since })
        break
      case 'PaymentPending':
        of(args.id).pending = args.amount
        break
      case 'PendingSettled':
        of(args.id).pending = 0n
        of(args.id).refunded += args.refunded
        break
      case 'OrderClosed':
        of(args.id).status = args.status
        of(args.id).refunded = args.refunded
        break
    }
  }
  return orders
}

import type { LowerCaseAddress } from '@rackfair/rules/address'
import { OrderStatus } from '@rackfair/rules/order/status'
import type { ProviderTable } from '../../store/tables.ts'
import { dayOf } from '../dayOf.ts'
import type { Fold } from '../Fold.ts'
import type { Handlers } from './Handlers.ts'

export const marketHandlers: Handlers = {
  OrderCreated(fold, { args, time }) {
    const { provider } = args
    // A node that is sold is at the revision that was bought.
    const { pCPU, pGPU, pMEM, pDISK, nCPU, nGPU, nMEM, nDISK, cpuModel, gpuModel, core } = fold.get(
      'node',
      `${provider}|${args.nodeId}`,
    )
    fold.put('order', {
      id: args.id,
      user: args.user,
      provider,
      nodeId: Number(args.nodeId),
      rev: args.rev,
      app: args.app,
      status: OrderStatus.Created,
      createTime: time,
      activateTime: 0,
      deployTime: 0,
      lastSettleTime: time,
      closeTime: 0,
      duration: args.duration,
      probation: args.conditions.probation,
      holdback: args.conditions.holdback,
      penalty: args.conditions.penalty,
      down: 0,
      reportedUntil: 0,
      downSince: 0,
      pending: '0',
      pendingUntil: 0,
      commissionBps: args.conditions.commissionBps,
      userConfirm: 0,
      providerConfirm: 0,
      rate: String(args.rate),
      totalValue: String(args.totalValue),
      remuneration: '0',
      commission: '0',
      refunded: '0',
      compensated: '0',
      ...{ pCPU, pGPU, pMEM, pDISK, nCPU, nGPU, nMEM, nDISK, cpuModel, gpuModel, core },
    })
  },

  OrderMoved(fold, { args }) {
    const before = fold.find('order', String(args.from))
    if (before) fold.patch('order', String(args.id), { app: before.app })
  },

  OrderActivated(fold, { args }) {
    const order = fold.get('order', String(args.id))
    const started = { status: OrderStatus.Active, activateTime: args.time, lastSettleTime: args.time, providerConfirm: 1 }
    fold.put('order', { ...order, ...started })
    count(fold, order.provider, 'ordersRunning', 1)
  },

  OrderDeployed: (fold, { args }) => fold.patch('order', String(args.id), { deployTime: args.time }),

  OrderConfirmed: (fold, { args }) => fold.patch('order', String(args.id), { userConfirm: 1 }),

  OrderExtended(fold, { args }) {
    const order = fold.get('order', String(args.id))
    const totalValue = String(BigInt(order.totalValue) + args.paid)
    const userConfirm = args.by === order.user ? 1 : order.userConfirm
    fold.put('order', { ...order, duration: args.duration, totalValue, userConfirm })
  },

  OrderSettled(fold, { args, time }) {
    const order = fold.get('order', String(args.id))
    fold.put('order', {
      ...order,
      lastSettleTime: args.upTo,
      remuneration: String(BigInt(order.remuneration) + args.gross),
      commission: String(BigInt(order.commission) + args.commission),
    })
    const key = { cp: order.provider, day: dayOf(time), nodeId: order.nodeId }
    const earned = fold.find('earning', `${key.cp}|${key.day}|${key.nodeId}`) ?? { ...key, gross: '0', commission: '0' }
    fold.put('earning', {
      ...earned,
      gross: String(BigInt(earned.gross) + args.gross),
      commission: String(BigInt(earned.commission) + args.commission),
    })
  },

  DowntimeCredited: (fold, { args }) =>
    fold.patch('order', String(args.id), { down: args.total, reportedUntil: args.asOf, downSince: args.since }),

  PaymentPending: (fold, { args }) =>
    fold.patch('order', String(args.id), { pending: String(args.amount), pendingUntil: args.until }),

  PendingSettled(fold, { args }) {
    const order = fold.get('order', String(args.id))
    const refunded = String(BigInt(order.refunded) + args.refunded)
    fold.put('order', { ...order, pending: '0', pendingUntil: 0, refunded })
  },

  OrderClosed(fold, { args }) {
    const order = fold.get('order', String(args.id))
    fold.put('order', { ...order, status: args.status, closeTime: args.time, refunded: String(args.refunded) })
    if (order.status === OrderStatus.Active) count(fold, order.provider, 'ordersRunning', -1)
    if (args.status === OrderStatus.Completed) count(fold, order.provider, 'ordersCompleted', 1)
    if (args.status === OrderStatus.ProviderCancelled)
      count(fold, order.provider, order.status === OrderStatus.Active ? 'ordersDropped' : 'ordersMissed', 1)
  },

  BuyerCompensated: (fold, { args }) => compensate(fold, args.id, args.fromPledge),

  DowntimeCompensated: (fold, { args }) => compensate(fold, args.id, args.amount),

  AppSet: (fold, { args }) => fold.patch('order', String(args.id), { app: args.app }),

  ProviderWithdrawn(fold, { args }) {
    const provider = fold.get('provider', args.provider)
    fold.put('provider', { ...provider, withdrawn: String(BigInt(provider.withdrawn) + args.amount) })
  },
}

function compensate(fold: Fold, id: bigint, wei: bigint): void {
  const order = fold.get('order', String(id))
  fold.put('order', { ...order, compensated: String(BigInt(order.compensated) + wei) })
}

function count(fold: Fold, address: LowerCaseAddress, field: keyof ProviderTable & `orders${string}`, by: 1 | -1): void {
  const provider = fold.get('provider', address)
  fold.put('provider', { ...provider, [field]: provider[field] + by })
}

import { MONTH_SECONDS, OrderStatus } from '@rackfair/core'
import type { OrderWire } from '@rackfair/core/wire'
import { describe, expect, it } from 'vitest'
import { orderActions } from './orderActions.ts'

const START = 1_790_000_000
const DAY = 86_400
const HOUR = 3600
const at = (order: Partial<OrderWire>, seconds: number) => orderActions({ ...running, ...order }, START + seconds)

describe('settling', () => {
  it('waits for the start, the probation and the holdback', () => {
    expect(at({ status: OrderStatus.Created, activateTime: 0 }, 60).settleBlocker).toBe('not_started')
    expect(at({}, HOUR - 1).settleBlocker).toBe('probation')
    expect(at({}, DAY).settleBlocker).toBe('nothing_final')
    expect(at({}, DAY + 2)).toMatchObject({ settleBlocker: undefined, dueWei: 2n })
  })
  it('books nothing twice', () => expect(at({ remuneration: '2' }, DAY + 2).settleBlocker).toBe('nothing_final'))
  it('frees the node at the end and closes the order after the holdback', () => {
    const paid = { remuneration: String(MONTH_SECONDS) }
    expect(at(paid, MONTH_SECONDS).settleBlocker).toBe('nothing_final')
    expect(at({ ...paid, node: { orderId: '7' } as OrderWire['node'] }, MONTH_SECONDS).settleBlocker).toBeUndefined()
    expect(at(paid, MONTH_SECONDS + DAY).settleBlocker).toBeUndefined()
  })
  it('is over with the order', () => expect(at({ status: OrderStatus.UserCancelled }, 5 * DAY).settleBlocker).toBe('closed'))
})

describe('dropping and starting', () => {
  it('can be dropped before its end only', () => {
    expect(at({}, DAY).canCancel).toBe(true)
    expect(at({}, MONTH_SECONDS).canCancel).toBe(false)
    expect(at({ status: OrderStatus.Created, activateTime: 0 }, 0).canCancel).toBe(true)
    expect(at({ status: OrderStatus.Completed }, DAY).canCancel).toBe(false)
  })
  it('can be started by hand for 24 hours', () => {
    const created = { status: OrderStatus.Created, activateTime: 0, createTime: START }
    expect(at(created, DAY - 1).canActivate).toBe(true)
    expect(at(created, DAY).canActivate).toBe(false)
    expect(at({}, 10).canActivate).toBe(false)
  })
})

it('shows a running order past its end as expired', () => {
  expect(at({}, MONTH_SECONDS - 1).status).toBe(OrderStatus.Active)
  expect(at({}, MONTH_SECONDS).status).toBe(OrderStatus.Expired)
})

/** One wei a second for a month, a probation of one hour and a holdback of one day. */
const running: OrderWire = {
  id: '7',
  user: '0x00000000000000000000000000000000000000bb',
  provider: '0x00000000000000000000000000000000000000aa',
  node_id: 1,
  rev: 1,
  appName: '',
  status: OrderStatus.Active,
  createTime: START - 60,
  activateTime: START,
  lastSettleTime: START,
  closeTime: 0,
  duration: MONTH_SECONDS,
  probation: HOUR,
  holdback: DAY,
  penalty: DAY,
  down: 0,
  feeBps: 0,
  UserConfirm: false,
  ProviderConfirm: true,
  rate: String(MONTH_SECONDS),
  totalValue: String(MONTH_SECONDS),
  remuneration: '0',
  remain: String(MONTH_SECONDS),
  refunded: '0',
  compensated: '0',
  p: { pCPU: '0', pGPU: '0', pMEM: '0', pDISK: '0' },
  r: { nCPU: 1, nGPU: 0, nMEM: 1, nDISK: 1 },
  cpuModel: '',
  gpuModel: '',
  core: 1,
  node: null,
  providerName: 'helios',
  ip: '203.0.113.7',
  port: 7070,
  domain: '',
  deployed: false,
  block: 1,
}

import type { LowerCaseAddress } from '../../address.ts'
import type { Order } from '../order.ts'

const CREDIT = 10n ** 18n

/** An order of two months at 30 USD a month, active since 1,800,000,000, with a probation of ten minutes and a holdback of one day. */
export function testOrder(changes: Partial<Order> = {}): Order {
  return {
    id: '12',
    orderId: 12n,
    user: '0x00000000000000000000000000000000000000aa' as LowerCaseAddress,
    provider: '0x00000000000000000000000000000000000000bb' as LowerCaseAddress,
    nodeId: 1,
    revision: 1,
    appName: '',
    status: 2,
    createTime: 1_799_999_900,
    activateTime: 1_800_000_000,
    lastSettleTime: 1_800_000_000,
    closeTime: 0,
    duration: 2 * 2_592_000,
    probation: 600,
    holdbackSeconds: 86_400,
    penalty: 86_400,
    downSeconds: 0,
    commissionBps: 0,
    userConfirm: false,
    providerConfirm: true,
    ratePerMonthWei: 30n * CREDIT,
    totalValueWei: 60n * CREDIT,
    remunerationWei: 0n,
    remainWei: 60n * CREDIT,
    refundedWei: 0n,
    compensatedWei: 0n,
    prices: { pCPU: 15n * CREDIT, pGPU: 0n, pMEM: 0n, pDISK: 0n },
    resources: { nCPU: 2, nGPU: 0, nMEM: 16, nDISK: 200 },
    cpuModel: 'EPYC 7402',
    gpuModel: '',
    core: 8,
    node: { orderId: 12n, switchedOn: true } as Order['node'],
    providerName: 'helios',
    ip: '127.0.0.1',
    port: 7070,
    domain: '',
    deployed: false,
    deployTime: 0,
    reportedUntil: 0,
    downSince: 0,
    pendingUntil: 0,
    maintenance: [],
    block: 1,
    ...changes,
  }
}

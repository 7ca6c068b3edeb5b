import type { OrderWire } from '../../wire/order.ts'

const CREDIT = 10n ** 18n

/** An order of two months at 30 USD a month, active since 1,800,000,000, with a probation of ten minutes and a holdback of one day. */
export function testOrder(changes: Partial<OrderWire> = {}): OrderWire {
  return {
    id: '12',
    user: '0x00000000000000000000000000000000000000aa',
    provider: '0x00000000000000000000000000000000000000bb',
    node_id: 1,
    rev: 1,
    appName: '',
    status: 2,
    createTime: 1_799_999_900,
    activateTime: 1_800_000_000,
    lastSettleTime: 1_800_000_000,
    closeTime: 0,
    duration: 2 * 2_592_000,
    probation: 600,
    holdback: 86_400,
    penalty: 86_400,
    down: 0,
    feeBps: 0,
    UserConfirm: false,
    ProviderConfirm: true,
    rate: String(30n * CREDIT),
    totalValue: String(60n * CREDIT),
    remuneration: '0',
    remain: String(60n * CREDIT),
    refunded: '0',
    compensated: '0',
    p: { pCPU: String(15n * CREDIT), pGPU: '0', pMEM: '0', pDISK: '0' },
    r: { nCPU: 2, nGPU: 0, nMEM: 16, nDISK: 200 },
    cpuModel: 'EPYC 7402',
    gpuModel: '',
    core: 8,
    node: { orderId: '12', switchedOn: true } as OrderWire['node'],
    providerName: 'helios',
    ip: '127.0.0.1',
    port: 7070,
    domain: '',
    deployed: false,
    deployTime: 0,
    block: 1,
    ...changes,
  }
}

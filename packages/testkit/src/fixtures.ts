import type { NodeListItem } from '@rackfair/protocol/nodes'
import type { OrderWire } from '@rackfair/protocol/orders'
import type { ProviderWire } from '@rackfair/protocol/providers'

const CREDIT = 10n ** 18n

/** `num` units at `usd` each per month. */
const part = (num: number, usd: bigint) => ({ num, priceMon: String(usd * CREDIT), priceSec: '0' })

/** An idle node as the platform returns it: helios-3 with one RTX 4090, at 158 USD a month. */
export function nodeAnswer(changes: Partial<NodeListItem> = {}): NodeListItem {
  return {
    id: 3,
    cp: '0x00000000000000000000000000000000000000bb',
    nodename: 'helios-3',
    cpu: { ...part(4, 5n), model: 'EPYC 7402', core: 8 },
    gpu: { ...part(1, 74n), model: 'RTX 4090' },
    mem: part(64, 1n),
    disk: part(1500, 0n),
    rev: 1,
    exist: true,
    sold: false,
    avail: false,
    online: true,
    switchedOn: true,
    offlineSince: null,
    orderId: '0',
    soldUntil: null,
    ratePerMonth: String(158n * CREDIT),
    pledge: String(100n * CREDIT),
    pledgeLocked: '0',
    penalty: 86_400,
    providerName: 'helios',
    unitRate: String(158n * CREDIT),
    medianUnitRate: null,
    ...changes,
  }
}

/** The provider of that node as the platform returns it, with 100 USD pledged. */
export function providerAnswer(changes: Partial<ProviderWire> = {}): ProviderWire {
  const address = '0x00000000000000000000000000000000000000bb'
  return {
    address,
    addr: address,
    name: 'helios',
    ip: '127.0.0.1',
    domain: '',
    port: 7070,
    operator: '0x00000000000000000000000000000000000000cc',
    ...{ nNode: 1, uNode: 0, nMem: 64, uMem: 0, nDisk: 1500, uDisk: 0 },
    online: true,
    offlineSince: null,
    pledge: String(100n * CREDIT),
    pledgeLocked: '0',
    ...{ ordersCompleted: 0, ordersRunning: 0, ordersDropped: 0, ordersMissed: 0 },
    nodes: [nodeAnswer()],
    block: 1,
    ...changes,
  }
}

/** An order as the platform returns it: two months at 30 USD a month, active since 1,800,000,000. Its node was removed. */
export function orderAnswer(changes: Partial<OrderWire> = {}): OrderWire {
  return {
    id: '12',
    user: '0x00000000000000000000000000000000000000aa',
    provider: '0x00000000000000000000000000000000000000bb',
    node_id: 3,
    rev: 1,
    appName: '',
    status: 2,
    createTime: 1_799_999_900,
    activateTime: 1_800_000_000,
    lastSettleTime: 1_800_000_000,
    closeTime: 0,
    duration: 5_184_000,
    probation: 600,
    holdback: 86_400,
    penalty: 86_400,
    down: 0,
    commissionBps: 0,
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
    node: null,
    providerName: 'helios',
    ip: '127.0.0.1',
    port: 7070,
    domain: '',
    deployed: false,
    deployTime: 0,
    reportedUntil: 0,
    downSince: 0,
    pendingUntil: 0,
    block: 1,
    ...changes,
  }
}

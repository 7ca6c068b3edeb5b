import type { NodeWire } from '@rackfair/protocol/nodes'
import type { OrderWire } from '@rackfair/protocol/orders'
import { isTerminal, shownStatus } from '@rackfair/rules/order/status'
import type { OrderTable, ProviderTable } from '../store/tables.ts'

/** An order as of `now`, with its node and provider as currently listed. */
export function orderWireOf(
  row: OrderTable,
  around: { node: NodeWire | undefined; provider: ProviderTable | undefined; providerName: string; block: number; now: number },
): OrderWire {
  const { node, provider, block, now } = around
  const closed = isTerminal(row.status)
  return {
    id: String(row.id),
    user: row.user,
    provider: row.provider,
    node_id: row.nodeId,
    rev: row.rev,
    appName: row.app,
    status: shownStatus(row, now),
    createTime: row.createTime,
    activateTime: row.activateTime,
    lastSettleTime: row.lastSettleTime,
    closeTime: row.closeTime,
    duration: row.duration,
    probation: row.probation,
    holdback: row.holdback,
    penalty: row.penalty,
    down: row.down,
    commissionBps: row.commissionBps,
    UserConfirm: row.userConfirm === 1,
    ProviderConfirm: row.providerConfirm === 1,
    rate: row.rate,
    totalValue: row.totalValue,
    remuneration: row.remuneration,
    remain: closed ? row.pending : String(BigInt(row.totalValue) - BigInt(row.remuneration)),
    refunded: row.refunded,
    compensated: row.compensated,
    p: { pCPU: row.pCPU, pGPU: row.pGPU, pMEM: row.pMEM, pDISK: row.pDISK },
    r: { nCPU: row.nCPU, nGPU: row.nGPU, nMEM: row.nMEM, nDISK: row.nDISK },
    cpuModel: row.cpuModel,
    gpuModel: row.gpuModel,
    core: row.core,
    node: node ?? null,
    providerName: around.providerName,
    ip: provider?.ip ?? '',
    port: provider?.port ?? 0,
    domain: provider?.domain ?? '',
    deployed: node?.avail === true && node.orderId === String(row.id),
    deployTime: row.deployTime,
    reportedUntil: row.reportedUntil,
    downSince: row.downSince,
    pendingUntil: row.pendingUntil,
    block,
  }
}

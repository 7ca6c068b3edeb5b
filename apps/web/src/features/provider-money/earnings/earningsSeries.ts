import type { NodeDay } from '@rackfair/sdk/http'

const DAY = 86_400

export interface NodeEarnings {
  nodeId: number
  netWei: bigint
  /** One value per day of the range, oldest first. */
  perDayWei: bigint[]
}

export interface EarningsSeries {
  /** Start of each UTC day, oldest first; the last is today. */
  days: number[]
  perDayWei: bigint[]
  netWei: bigint
  commissionWei: bigint
  /** Nodes that earned in the range, best first. */
  nodes: NodeEarnings[]
}

/** What was earned on each of the last `length` days, commission taken off; days without earnings are 0. */
export function earningsSeries(earned: readonly NodeDay[], nowSeconds: number, length: number): EarningsSeries {
  const today = Math.floor(nowSeconds / DAY) * DAY
  const days = Array.from({ length }, (_, index) => today - (length - 1 - index) * DAY)
  const perDayWei = days.map(() => 0n)
  const nodes = new Map<number, NodeEarnings>()
  let commissionWei = 0n
  for (const entry of earned) {
    const at = length - 1 - Math.floor((today - entry.day) / DAY)
    if (at < 0 || at >= length) continue
    const netWei = entry.grossWei - entry.commissionWei
    commissionWei += entry.commissionWei
    perDayWei[at] = (perDayWei[at] ?? 0n) + netWei
    const node = nodes.get(entry.nodeId) ?? { nodeId: entry.nodeId, netWei: 0n, perDayWei: days.map(() => 0n) }
    node.netWei += netWei
    node.perDayWei[at] = (node.perDayWei[at] ?? 0n) + netWei
    nodes.set(entry.nodeId, node)
  }
  return {
    days,
    perDayWei,
    netWei: perDayWei.reduce((sum, wei) => sum + wei, 0n),
    commissionWei,
    nodes: [...nodes.values()].sort((a, b) => (a.netWei === b.netWei ? a.nodeId - b.nodeId : a.netWei < b.netWei ? 1 : -1)),
  }
}

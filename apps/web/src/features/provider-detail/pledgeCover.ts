import { accruedWei } from '@rackfair/core'
import type { NodeWire } from '@rackfair/core/wire'

const DAY_SECONDS = 86_400n

export interface PledgeCover {
  pledgeWei: bigint
  /** What one day of the nodes that are sold, and of all nodes, costs. */
  dayOfRunningWei: bigint
  dayOfAllWei: bigint
}

/** Dropping an order costs up to one day of its price: what the pledge has to stand against. */
export function pledgeCover(pledge: string, nodes: readonly NodeWire[]): PledgeCover {
  const day = (list: readonly NodeWire[]) =>
    list.reduce((sum, node) => sum + accruedWei(BigInt(node.ratePerMonth), DAY_SECONDS), 0n)
  const live = nodes.filter((node) => node.exist)
  return { pledgeWei: BigInt(pledge), dayOfRunningWei: day(live.filter((node) => node.sold)), dayOfAllWei: day(live) }
}

/** How many times over a pledge covers an amount, to one digit and rounded down; undefined when there is nothing to cover. */
export function timesCovered(pledgeWei: bigint, amountWei: bigint): number | undefined {
  return amountWei === 0n ? undefined : Number((pledgeWei * 10n) / amountWei) / 10
}

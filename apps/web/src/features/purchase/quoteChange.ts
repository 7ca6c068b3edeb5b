import type { Conditions } from '@rackfair/sdk'

export interface Quote {
  feeWei: bigint
  /** The revision of the machine; extensions have none. */
  rev?: number
  /** What the order would keep; extensions keep what their order has. */
  conditions?: Conditions
}

/** What is different between the quote a buyer has seen and the one that holds now. A lower price is shown as well. */
export function quoteChange(seen: Quote, fresh: Quote): 'price' | 'machine' | 'conditions' | undefined {
  if (seen.feeWei !== fresh.feeWei) return 'price'
  if (seen.rev !== fresh.rev) return 'machine'
  return changedConditions(seen, fresh).length === 0 ? undefined : 'conditions'
}

/** Which of the conditions differ, in the order in which they are shown. */
export function changedConditions(seen: Quote, fresh: Quote): (keyof Conditions)[] {
  const names = ['probation', 'holdback', 'penalty', 'commissionBps'] as const
  return names.filter((name) => seen.conditions?.[name] !== fresh.conditions?.[name])
}

import type { Conditions } from '@rackfair/sdk'

export interface Quote {
  feeWei: bigint
  /** The revision of the machine; extensions have none. */
  rev?: number
  /** What the order would keep; extensions keep what their order has. */
  conditions?: Conditions
}

/** What happened to the machine between the price that was shown and the press of the button. A price is that of `seconds`. */
export type QuoteChange =
  | { kind: 'price'; beforeWei: bigint; afterWei: bigint; seconds: number | undefined }
  | { kind: 'machine' }
  | { kind: 'conditions'; before: Conditions; after: Conditions }
  | { kind: 'sold' }
  | { kind: 'yours'; orderId: string }

/** What of it concerns the term that is chosen now: the price of another term does not. */
export const ofTerm = (change: QuoteChange | undefined, seconds: number | undefined): QuoteChange | undefined =>
  change?.kind === 'price' && change.seconds !== seconds ? undefined : change

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

export interface Quote {
  feeWei: bigint
  /** The revision of the machine; extensions have none. */
  rev?: number
}

/** What is different between the quote a buyer has seen and the one that holds now. A lower price is shown as well. */
export function quoteChange(seen: Quote, fresh: Quote): 'price' | 'machine' | undefined {
  if (seen.feeWei !== fresh.feeWei) return 'price'
  return seen.rev === fresh.rev ? undefined : 'machine'
}

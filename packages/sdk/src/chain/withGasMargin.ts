/** Interest or earnings that first accrue after the estimate write up to three empty storage slots, at 20,000 gas each. */
const NEW_WORDS_GAS = 60_000n

/**
 * The gas limit to send for an estimate. The estimate is made on the state of the last block: by the time the transaction runs, seconds
 * have passed, and interest or earnings may have to be written that were not there before. A small call needs that margin as well, so a
 * percentage of the estimate is not enough. Unused gas is not charged.
 */
export function withGasMargin(estimate: bigint): bigint {
  return (estimate * 5n) / 4n + NEW_WORDS_GAS
}

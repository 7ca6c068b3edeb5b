/** Interest or earnings that begin after the estimate fill up to three words of storage that were empty, at 20,000 gas each. */
const NEW_WORDS_GAS = 60_000n

/**
 * The gas limit to send with an estimate. An estimate is made on the state of the last block: by the time the transaction runs,
 * seconds have passed and interest or earnings may have to be written that were not there before. A small call needs that much more
 * too, so a share of the estimate alone does not do. Unused gas is not paid for.
 */
export function withGasMargin(estimate: bigint): bigint {
  return (estimate * 5n) / 4n + NEW_WORDS_GAS
}

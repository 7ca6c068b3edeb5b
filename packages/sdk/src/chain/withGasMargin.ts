/**
 * The gas limit to send with an estimate. An estimate is made on the state of the last block: by the time the transaction runs,
 * seconds have passed and interest or earnings may have to be written that were not there before. Unused gas is not paid for.
 */
export function withGasMargin(estimate: bigint): bigint {
  return (estimate * 5n) / 4n
}

const INDEX_ONE = 10n ** 27n

/** What a pledge bears while the Pledge contract's index (the interest of 1 wei since the beginning, times 1e27) grows; wei, rounded down. */
export function interestEarnedWei(pledgedWei: bigint, fromIndex: bigint, toIndex: bigint): bigint {
  return (pledgedWei * (toIndex - fromIndex)) / INDEX_ONE
}

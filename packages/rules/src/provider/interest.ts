const INDEX_ONE = 10n ** 27n

/**
 * The interest of a locked pledge while the Pledge contract's index (the interest of 1 locked wei since the beginning, times 1e27) grows;
 * wei, rounded down.
 */
export function interestEarnedWei(lockedWei: bigint, fromIndex: bigint, toIndex: bigint): bigint {
  return (lockedWei * (toIndex - fromIndex)) / INDEX_ONE
}

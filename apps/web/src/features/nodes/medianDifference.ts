/** How far the price of a unit is from the median of its model, as a share: −0.12 is 12 % below. Undefined without a median. */
export function medianDifference(unitWei: bigint, medianWei: bigint | null): number | undefined {
  if (medianWei === null || medianWei === 0n) return undefined
  return Number(((unitWei - medianWei) * 10_000n) / medianWei) / 10_000
}

/** Below half a percent the two count as the same. */
export function isAtMedian(difference: number): boolean {
  return Math.abs(difference) < 0.005
}

/** How far the price of a unit is from the median of its model, as a share: −0.12 is 12 % below. Undefined without a median. */
export function medianDifference(unitRate: string, medianUnitRate: string | null): number | undefined {
  if (medianUnitRate === null || medianUnitRate === '0') return undefined
  const median = BigInt(medianUnitRate)
  return Number(((BigInt(unitRate) - median) * 10_000n) / median) / 10_000
}

/** Below half a percent the two count as the same. */
export function isAtMedian(difference: number): boolean {
  return Math.abs(difference) < 0.005
}

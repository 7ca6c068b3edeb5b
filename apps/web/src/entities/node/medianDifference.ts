/**
 * How far the price of a unit is from the median of its model, as a share of whole percents: −0.12 is 12 % below, 0 is the same. Undefined
 * without a median.
 */
export function medianDifference(unitWei: bigint, medianWei: bigint | null): number | undefined {
  if (medianWei === null || medianWei === 0n) return undefined
  const percent = Math.round(Number(((unitWei - medianWei) * 10_000n) / medianWei) / 100)
  // Not −0, which would be written with its sign.
  return percent === 0 ? 0 : percent / 100
}

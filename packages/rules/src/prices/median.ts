/** The median of amounts, the lower of two middle ones; `undefined` for an empty list. */
export function medianOf(amounts: readonly bigint[]): bigint | undefined {
  return amounts.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))[(amounts.length - 1) >> 1]
}

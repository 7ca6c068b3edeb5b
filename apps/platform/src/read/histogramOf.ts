const MAX_BUCKETS = 16n

/** At most 16 buckets of equal width over amounts in ascending order; the last one includes its end. */
export function histogramOf(ascending: readonly bigint[]): { from: string; to: string; count: number }[] {
  const min = ascending[0]
  const max = ascending.at(-1)
  if (min === undefined || max === undefined) return []
  const span = max - min + 1n
  const buckets = span < MAX_BUCKETS ? span : MAX_BUCKETS
  const width = (span + buckets - 1n) / buckets
  return Array.from({ length: Number(buckets) }, (_, index) => {
    const from = min + width * BigInt(index)
    const count = firstAtLeast(ascending, from + width) - firstAtLeast(ascending, from)
    return { from: String(from), to: String(from + width - 1n), count }
  })
}

/** How many of these ascending values are below a limit. */
export function firstAtLeast<Value extends bigint | number>(ascending: readonly Value[], limit: Value): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] as Value) < limit) low = middle + 1
    else high = middle
  }
  return low
}

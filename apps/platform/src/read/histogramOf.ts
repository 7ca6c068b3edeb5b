const MOST_BUCKETS = 16n

/** At most 16 buckets of equal width over the amounts; the last one includes its end. */
export function histogramOf(amounts: readonly bigint[]): { from: string; to: string; count: number }[] {
  const first = amounts[0]
  if (first === undefined) return []
  let min = first
  let max = first
  for (const amount of amounts) {
    if (amount < min) min = amount
    if (amount > max) max = amount
  }
  const span = max - min + 1n
  const buckets = span < MOST_BUCKETS ? span : MOST_BUCKETS
  const width = (span + buckets - 1n) / buckets
  const counts = Array.from({ length: Number(buckets) }, () => 0)
  for (const amount of amounts) {
    const index = Number((amount - min) / width)
    counts[index] = (counts[index] ?? 0) + 1
  }
  return counts.map((count, index) => ({
    from: String(min + width * BigInt(index)),
    to: String(min + width * BigInt(index + 1) - 1n),
    count,
  }))
}

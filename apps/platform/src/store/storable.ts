/** NUL, and half of a surrogate pair: PostgreSQL refuses both, and with them every other row of the statement. */
const REFUSED = /[\0\p{Cs}]/gu

/** A value as both databases take it: a bigint as decimal digits, a text with U+FFFD for each character that PostgreSQL refuses. */
export function storable(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'))) return value
  return value.replace(REFUSED, '\uFFFD')
}

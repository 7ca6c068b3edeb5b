import { isDurationMonths, MAX_MONTHS, MIN_MONTHS } from '@rackfair/rules/duration'
import { plainNumber } from '@rackfair/rules/text/plainNumber'

/** The months of a typed text; undefined unless it is a whole number from 1 to 120. */
export function readMonths(text: string): number | undefined {
  const trimmed = plainNumber(text)
  if (!/^\d{1,4}$/.test(trimmed)) return undefined
  const months = Number(trimmed)
  return isDurationMonths(months) ? months : undefined
}

/** The text after a step of one month, within the bounds; from what is no number it goes on at one month. */
export function stepMonths(text: string, step: 1 | -1): string {
  const typed = Number.parseInt(plainNumber(text), 10)
  const next = Number.isNaN(typed) ? MIN_MONTHS : typed + step
  return String(Math.min(MAX_MONTHS, Math.max(MIN_MONTHS, next)))
}

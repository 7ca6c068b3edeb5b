import { isDurationMonths, MAX_MONTHS, MIN_MONTHS } from '@rackfair/core'

/** The months of a typed text; undefined unless it is a whole number from 1 to 120. */
export function readMonths(text: string): number | undefined {
  const trimmed = text.trim()
  if (!/^\d{1,4}$/.test(trimmed)) return undefined
  const months = Number(trimmed)
  return isDurationMonths(months) ? months : undefined
}

/** Where the slider stands while the text is being typed: the nearest value it has. */
export function sliderMonths(text: string): number {
  const typed = Number.parseInt(text, 10)
  return Number.isNaN(typed) ? MIN_MONTHS : Math.min(MAX_MONTHS, Math.max(MIN_MONTHS, typed))
}

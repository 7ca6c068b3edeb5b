import { isDurationMonths, MIN_MONTHS } from '@rackfair/rules/duration'
import { plainNumber } from '@rackfair/rules/text/plainNumber'

/** The months of a typed text; undefined unless it is a whole number from 1 to 120. */
export function readMonths(text: string): number | undefined {
  const trimmed = plainNumber(text)
  if (!/^\d{1,4}$/.test(trimmed)) return undefined
  const months = Number(trimmed)
  return isDurationMonths(months) ? months : undefined
}

/** The months that the slider has: every one of the first year, which most people choose from, and fewer of those after it. */
export const SLIDER_MONTHS: readonly number[] = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  ...[15, 18, 21, 24, 30, 36, 48, 60, 72, 84, 96, 108, 120],
]

/** Where the slider stands while the text is being typed: the place in `SLIDER_MONTHS` of the nearest months. */
export function sliderPlace(text: string): number {
  const typed = Number.parseInt(plainNumber(text), 10)
  const distance = (months: number) => Math.abs(months - (Number.isNaN(typed) ? MIN_MONTHS : typed))
  return SLIDER_MONTHS.reduce(
    (best, months, place) => (distance(months) < distance(SLIDER_MONTHS[best] as number) ? place : best),
    0,
  )
}

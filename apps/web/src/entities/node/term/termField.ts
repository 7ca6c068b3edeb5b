import {
  DAY_SECONDS,
  type DurationUnit,
  HOUR_SECONDS,
  isOrderSeconds,
  MAX_ORDER_SECONDS,
  MONTH_SECONDS,
  readDuration,
  UNIT_SECONDS,
} from '@rackfair/rules/duration'
import { plainNumber } from '@rackfair/rules/text/plainNumber'

/** For how long, as it is typed: a number of one unit. */
export interface Term {
  text: string
  unit: DurationUnit
}

export const UNITS: readonly DurationUnit[] = ['hour', 'day', 'month']

/** The seconds of a term; undefined unless it is a whole number of its unit, from an hour to 120 months. */
export function readTerm({ text, unit }: Term): number | undefined {
  const trimmed = plainNumber(text)
  if (!/^\d{1,6}$/.test(trimmed)) return undefined
  const seconds = Number(trimmed) * UNIT_SECONDS[unit]
  return isOrderSeconds(seconds) ? seconds : undefined
}

/** The text after a step of one unit, within the bounds; from what is no number it goes on at one. */
export function stepTerm({ text, unit }: Term, step: 1 | -1): string {
  const typed = Number.parseInt(plainNumber(text), 10)
  const next = Number.isNaN(typed) ? 1 : typed + step
  return String(Math.min(MAX_ORDER_SECONDS / UNIT_SECONDS[unit], Math.max(1, next)))
}

/** A time in the largest unit of which it is a whole number; what no order can last is a month. */
export function termOf(seconds: number | undefined): Term {
  const size = [MONTH_SECONDS, DAY_SECONDS, HOUR_SECONDS].find((one) => seconds !== undefined && seconds % one === 0)
  const unit = UNITS.find((one) => UNIT_SECONDS[one] === size)
  if (seconds === undefined || size === undefined || unit === undefined || !isOrderSeconds(seconds)) return MONTH
  return { text: String(seconds / size), unit }
}

/** What the address bar says, as `for=2h`. */
export const termIn = (written: string | null): Term => termOf(written === null ? undefined : readDuration(written))

const MONTH: Term = { text: '1', unit: 'month' }

import {
  type DurationUnit,
  HOUR_SECONDS,
  isOrderSeconds,
  MAX_ORDER_SECONDS,
  MIN_ORDER_SECONDS,
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

/** A time in the largest unit of which it is a whole number, rounded up to an hour; what no order can last is an hour. */
export function termOf(seconds: number): Term {
  const whole = Math.ceil(seconds / HOUR_SECONDS) * HOUR_SECONDS
  const chosen = isOrderSeconds(whole) ? whole : MIN_ORDER_SECONDS
  const unit = UNITS.findLast((one) => chosen % UNIT_SECONDS[one] === 0) ?? 'hour'
  return { text: String(chosen / UNIT_SECONDS[unit]), unit }
}

/** What the address bar says, as `for=2h`; where it says nothing that can be bought, the shortest time, in seconds. */
export function termIn(written: string | null, shortest = MIN_ORDER_SECONDS): Term {
  const seconds = written === null ? undefined : readDuration(written)
  const isTerm = seconds !== undefined && seconds % HOUR_SECONDS === 0 && isOrderSeconds(seconds)
  return termOf(isTerm ? seconds : shortest)
}

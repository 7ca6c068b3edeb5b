import { plainNumber } from './text/plainNumber.ts'

/** A month is 30 days. Every price is per month of this many seconds. */
export const MONTH_SECONDS = 2_592_000
export const MIN_MONTHS = 1
export const MAX_MONTHS = 120
export const HOUR_SECONDS = 3_600
export const DAY_SECONDS = 86_400
/** The shortest and the longest time of an order, and the shortest of an extension, in seconds. A node may be sold for longer only. */
export const MIN_ORDER_SECONDS = 3_600
export const MAX_ORDER_SECONDS = MAX_MONTHS * MONTH_SECONDS
/** The most that a provider may ask for as the shortest term of a node. */
export const MAX_MIN_TERM_SECONDS = 6 * MONTH_SECONDS
/** An order that is not activated within this time can be released by anyone, with a full refund. */
export const START_SECONDS = 86_400
/** A provider that is away for this long without interruption has dropped its order. */
export const LOST_AFTER_SECONDS = 86_400
/** A report of a period of eight hours is final six hours after it: if none followed for this long, the provider is back. */
export const REPORT_FRESH_SECONDS = 50_400
/** The percentage of an order's time so far in which downtime is merely unpaid. */
export const ALLOWED_DOWNTIME_PERCENT = 0.5
const EXCUSED_SECONDS_PER_MONTH = 302_400

/**
 * The downtime of an order that is merely unpaid `seconds` after its activation. Every second beyond is also paid to the buyer, out of the
 * provider's pledge.
 *
 * @example allowedDowntime(3_600) // 18
 */
export const allowedDowntime = (seconds: number): number => Math.floor((seconds * ALLOWED_DOWNTIME_PERCENT) / 100)

/**
 * The credited downtime beyond which a provider may drop an order without a penalty, `seconds` after its activation: half a week for each
 * month so far, and for the first one at once.
 */
export const excusedDowntime = (seconds: number): number =>
  Math.floor((EXCUSED_SECONDS_PER_MONTH * Math.max(seconds, MONTH_SECONDS)) / MONTH_SECONDS)

/** Converts whole months to the seconds used on the wire and the chain. Callers check the bounds with `isDurationMonths`. */
export function monthsToSeconds(months: number): number {
  return months * MONTH_SECONDS
}

/** True for a whole number from 1 to 120. */
export function isDurationMonths(months: number): boolean {
  return Number.isInteger(months) && months >= MIN_MONTHS && months <= MAX_MONTHS
}

/** True for whole seconds from an hour to 120 months: what can be bought at once, unless the node asks for more. */
export function isOrderSeconds(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= MIN_ORDER_SECONDS && seconds <= MAX_ORDER_SECONDS
}

const UNITS = [
  { unit: 'month', short: 'mo', seconds: MONTH_SECONDS, names: ['mo', 'month', 'months', '个月', '月'] },
  { unit: 'day', short: 'd', seconds: DAY_SECONDS, names: ['d', 'day', 'days', '天', '日'] },
  { unit: 'hour', short: 'h', seconds: HOUR_SECONDS, names: ['h', 'hr', 'hrs', 'hour', 'hours', '小时', '个小时'] },
  { unit: 'minute', short: 'min', seconds: 60, names: ['min', 'mins', 'minute', 'minutes', '分钟', '分'] },
  { unit: 'second', short: 's', seconds: 1, names: ['s', 'sec', 'secs', 'second', 'seconds', '秒', '秒钟'] },
] as const
const WEEK = { seconds: 7 * DAY_SECONDS, names: ['w', 'week', 'weeks', '周', '星期'] } as const
const SECONDS_OF: ReadonlyMap<string, number> = new Map(
  [...UNITS, WEEK].flatMap(({ names, seconds }) => names.map((name) => [name, seconds] as const)),
)
const MAX_LENGTH = 64

/** A unit in which a time is chosen. */
export type DurationUnit = 'hour' | 'day' | 'month'

/** The seconds of each unit in which a time is chosen. */
export const UNIT_SECONDS: Readonly<Record<DurationUnit, number>> = {
  hour: HOUR_SECONDS,
  day: DAY_SECONDS,
  month: MONTH_SECONDS,
}

/**
 * The seconds of a time as people write it, in English or Chinese: numbers, each with a unit, a month being 30 days. Undefined if it is
 * none, or no whole number of seconds. Does not check the bounds of an order, see `isOrderSeconds`.
 *
 * @example readDuration('2h') // 7_200
 * @example readDuration('1 day 12 hours') // 129_600
 * @example readDuration('3') // undefined: of what?
 */
export function readDuration(text: string): number | undefined {
  if (text.length > MAX_LENGTH) return undefined
  let rest = plainNumber(text).toLowerCase()
  let total = 0
  while (rest !== '') {
    const [whole, digits = '', name = ''] = /^(\d+(?:\.\d+)?)\s*([a-z\u4e00-\u9fff]+)[\s,]*/.exec(rest) ?? []
    const seconds = SECONDS_OF.get(name)
    if (whole === undefined || seconds === undefined) return undefined
    const part = Number(digits) * seconds
    // A fraction such as 0.1 of a day is not exact in binary.
    if (Math.abs(part - Math.round(part)) > 1e-6) return undefined
    total += Math.round(part)
    rest = rest.slice(whole.length)
  }
  return total > 0 && Number.isSafeInteger(total) ? total : undefined
}

/** The parts of a time, largest unit first. A day is never more than 29 beside months, an hour never more than 23 beside days. */
function partsOf(seconds: number): { unit: (typeof UNITS)[number]['unit']; short: string; count: number }[] {
  let rest = seconds
  return UNITS.flatMap(({ unit, short, seconds: size }) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count === 0 ? [] : [{ unit, short, count }]
  })
}

/**
 * A time as `readDuration` reads it back, without spaces, as for an address or a command.
 *
 * @param seconds a whole number above 0
 * @example writeDuration(129_600) // '1d12h'
 */
export const writeDuration = (seconds: number): string =>
  partsOf(seconds)
    .map(({ count, short }) => `${count}${short}`)
    .join('')

/**
 * A time in words.
 *
 * @param seconds a whole number above 0
 * @example durationInWords(129_600, 'en') // '1 day 12 hours'
 * @example durationInWords(129_600, 'zh') // '1天12小时'
 */
export function durationInWords(seconds: number, locale: 'en' | 'zh'): string {
  const words = partsOf(seconds).map(({ count, unit }) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count),
  )
  return words.join(locale === 'zh' ? '' : ' ')
}

import { MAX_DATE_MS } from '@rackfair/rules/limits'
import { formatCredit } from '@rackfair/rules/money'
import { clockFormat } from './clockFormat.ts'
import { durationFormat } from './durationFormat.ts'
import type { Locale } from './locale.ts'

export type Format = ReturnType<typeof createFormat>

/** A time that no date can hold is a dash: a `DateTimeFormat` would throw. */
const written = (ms: number, write: (ms: number) => string): string => (Math.abs(ms) <= MAX_DATE_MS ? write(ms) : '—')

/** Numbers, dates, lengths of time and money in one language. Times are unix seconds, money is wei of Credit (1 Credit = 1 USD). */
export function createFormat(locale: Locale) {
  const tag = locale === 'zh' ? 'zh-CN' : 'en-GB'
  const made = new Map<string, Intl.NumberFormat>()
  // Making one costs more than writing a hundred figures with it, and lists write thousands.
  const figures = (options: Intl.NumberFormatOptions) => {
    const key = JSON.stringify(options)
    const known = made.get(key) ?? new Intl.NumberFormat(locale, options)
    made.set(key, known)
    return known
  }
  const number = new Intl.NumberFormat(locale)
  const date = new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short', year: 'numeric' })
  const day = new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short' })
  const dateTime = new Intl.DateTimeFormat(tag, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const stamp = new Intl.DateTimeFormat(tag, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  const utc = new Intl.DateTimeFormat(tag, {
    ...{ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    ...{ hourCycle: 'h23', timeZone: 'UTC' },
  } as const)
  const utcStamp = new Intl.DateTimeFormat(tag, {
    ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    ...{ hourCycle: 'h23', timeZone: 'UTC' },
  } as const)
  const clock = clockFormat(tag)
  const countries = new Intl.DisplayNames(tag, { type: 'region', fallback: 'code' })

  return {
    locale,
    number: (value: number | bigint, digits = 0) =>
      digits === 0 ? number.format(value) : figures({ maximumFractionDigits: digits }).format(value),
    /** The country of two capital letters, or the part of the world of three digits. */
    country: (code: string) => (/^(?:[A-Z]{2}|\d{3})$/.test(code) ? (countries.of(code) ?? code) : code),
    /** `0.713` as 71 %. */
    percent: (share: number, digits = 0) =>
      figures({ style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits }).format(share),
    /** With its sign, for differences: −12 %. */
    signedPercent: (share: number) =>
      figures({ style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 0 }).format(share),
    date: (seconds: number) => written(seconds * 1000, date.format),
    day: (seconds: number) => written(seconds * 1000, day.format),
    dateTime: (seconds: number) => written(seconds * 1000, dateTime.format),
    /** To the second and the same everywhere, for papers: say UTC beside it. */
    utc: (seconds: number) => written(seconds * 1000, utc.format),
    /** The same without its year, where a paper says that already. */
    utcStamp: (seconds: number) => written(seconds * 1000, utcStamp.format),
    stamp: (seconds: number) => written(seconds * 1000, stamp.format),
    clock: (seconds: number) => written(seconds * 1000, clock.format),
    /** To the millisecond: 13:58:11.402. */
    clockMs: (ms: number) => written(ms, () => `${clock.format(ms)}.${String(Math.floor(ms) % 1000).padStart(3, '0')}`),
    ...durationFormat(locale, figures),
    /** Dollars from wei, cut towards zero after `max` digits (2 by default), never through a float. */
    usd: (wei: bigint, options: { min?: number; max?: number } = {}) => dollars(wei, options, figures),
    /** Gigabytes as TB with decimals from 1000 on. */
    gigabytes: (gb: number) =>
      gb >= 1000 ? `${figures({ maximumFractionDigits: 2 }).format(gb / 1000)} TB` : `${number.format(gb)} GB`,
    /** Storage in TB (1 TB = 1000 GB), less than one in GB; nothing is 0 TB. */
    storage: (gb: number) =>
      gb > 0 && gb < 1000 ? `${number.format(gb)} GB` : `${figures({ maximumFractionDigits: 3 }).format(gb / 1000)} TB`,
    list: (values: readonly string[]) => new Intl.ListFormat(locale, { type: 'conjunction' }).format(values),
  }
}

type Figures = (options: Intl.NumberFormatOptions) => Intl.NumberFormat

function dollars(wei: bigint, { min = 2, max = 2 }: { min?: number; max?: number }, figures: Figures): string {
  return figures({
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: Math.min(min, max),
    maximumFractionDigits: max,
  }).format(formatCredit(wei, { max }) as Intl.StringNumericLiteral)
}

import { formatCredit } from '@rackfair/core'
import { clockFormat } from './clockFormat.ts'
import type { Locale } from './locale.ts'

const LONG_UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

export type Format = ReturnType<typeof createFormat>

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
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })
  const unit = (name: string, value: number) =>
    figures({ style: 'unit', unit: name, unitDisplay: locale === 'zh' ? 'short' : 'narrow' }).format(value)

  return {
    locale,
    number: (value: number | bigint, digits = 0) =>
      digits === 0 ? number.format(value) : figures({ maximumFractionDigits: digits }).format(value),
    /** `0.713` as 71 %. */
    percent: (share: number, digits = 0) =>
      figures({ style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits }).format(share),
    /** With its sign, for differences: −12 %. */
    signedPercent: (share: number) =>
      figures({ style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 0 }).format(share),
    date: (seconds: number) => date.format(seconds * 1000),
    day: (seconds: number) => day.format(seconds * 1000),
    dateTime: (seconds: number) => dateTime.format(seconds * 1000),
    /** To the second and the same everywhere, for papers: say UTC beside it. */
    utc: (seconds: number) => utc.format(seconds * 1000),
    /** The same without its year, where a paper says that already. */
    utcStamp: (seconds: number) => utcStamp.format(seconds * 1000),
    stamp: (seconds: number) => stamp.format(seconds * 1000),
    clock: (seconds: number) => clock.format(seconds * 1000),
    /** To the millisecond: 13:58:11.402. */
    clockMs: (ms: number) => `${clock.format(ms)}.${String(Math.floor(ms) % 1000).padStart(3, '0')}`,
    /** The two or three largest units: 70 d 19 h 13 min. Negative counts as 0. */
    duration: (seconds: number, parts = 2) => {
      let rest = Math.max(0, Math.floor(seconds))
      const units = [
        ['day', 86_400],
        ['hour', 3600],
        ['minute', 60],
        ['second', 1],
      ] as const
      const written: string[] = []
      for (const [name, size] of units) {
        const count = Math.floor(rest / size)
        rest -= count * size
        if (count > 0 || (name === 'second' && written.length === 0)) written.push(unit(name, count))
        if (written.length === parts) break
      }
      return written.join(' ')
    },
    /**
     * What is left of a long time, of the same width from tick to tick: `['69d 19h 12m', '04s']`, whose seconds can stand apart.
     * Negative counts as 0.
     */
    countdown: (seconds: number): [string, string] => {
      const rest = Math.max(0, Math.floor(seconds))
      const padded = (name: string, value: number) =>
        figures({ style: 'unit', unit: name, unitDisplay: locale === 'zh' ? 'short' : 'narrow', minimumIntegerDigits: 2 }).format(
          value,
        )
      const days = Math.floor(rest / 86_400)
      const long = [
        ...(days > 0 ? [unit('day', days)] : []),
        padded('hour', Math.floor(rest / 3600) % 24),
        padded('minute', Math.floor(rest / 60) % 60),
      ]
      return [long.join(' '), padded('second', rest % 60)]
    },
    /** The largest unit in words, for sentences: 1 hour, 30 minutes. */
    longDuration: (seconds: number) => {
      const [name, size] =
        LONG_UNITS.find(([, length]) => seconds >= length && seconds % length === 0) ?? (['second', 1] as const)
      return figures({ style: 'unit', unit: name, unitDisplay: 'long' }).format(seconds / size)
    },
    milliseconds: (value: number) =>
      value < 1000
        ? figures({
            style: 'unit',
            unit: 'millisecond',
            unitDisplay: 'short',
            maximumFractionDigits: 0,
          }).format(value)
        : figures({ style: 'unit', unit: 'second', unitDisplay: 'short', maximumFractionDigits: 1 }).format(value / 1000),
    /** 3 min ago, in 2 days; `now` and `seconds` in unix seconds. */
    ago: (seconds: number, now: number) => {
      const difference = seconds - now
      const size = Math.abs(difference)
      if (size < 60) return relative.format(Math.round(difference), 'second')
      if (size < 3600) return relative.format(Math.round(difference / 60), 'minute')
      if (size < 86_400) return relative.format(Math.round(difference / 3600), 'hour')
      return relative.format(Math.round(difference / 86_400), 'day')
    },
    /** Dollars from wei, cut towards zero after `max` digits (2 unless told), never through a float. */
    usd: (wei: bigint, options: { min?: number; max?: number } = {}) => {
      const { min = 2, max = 2 } = options
      return figures({
        style: 'currency',
        currency: 'USD',
        currencyDisplay: 'narrowSymbol',
        minimumFractionDigits: Math.min(min, max),
        maximumFractionDigits: max,
      }).format(formatCredit(wei, { max }) as Intl.StringNumericLiteral)
    },
    /** Gigabytes as TB with decimals from 1000 on. */
    gigabytes: (gb: number) =>
      gb >= 1000 ? `${figures({ maximumFractionDigits: 2 }).format(gb / 1000)} TB` : `${number.format(gb)} GB`,
    /** Storage in TB (1 TB = 1000 GB), less than one in GB; nothing is 0 TB. */
    storage: (gb: number) =>
      gb > 0 && gb < 1000 ? `${number.format(gb)} GB` : `${figures({ maximumFractionDigits: 3 }).format(gb / 1000)} TB`,
    list: (values: readonly string[]) => new Intl.ListFormat(locale, { type: 'conjunction' }).format(values),
  }
}

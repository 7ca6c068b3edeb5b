import type { Locale } from './locale.ts'

const LONG_UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Lengths of time in one language, in seconds. `figures` makes the formats of their numbers. */
export function durationFormat(locale: Locale, figures: (options: Intl.NumberFormatOptions) => Intl.NumberFormat) {
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })
  const unit = (name: string, value: number) =>
    figures({ style: 'unit', unit: name, unitDisplay: locale === 'zh' ? 'short' : 'narrow' }).format(value)

  return {
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
    /** The largest unit, for what need not be exact: 20 min. */
    roughDuration: (seconds: number) => {
      const [name, size] = LONG_UNITS.find(([, length]) => seconds >= length) ?? (['second', 1] as const)
      return figures({ style: 'unit', unit: name, unitDisplay: 'short' }).format(Math.max(0, Math.floor(seconds / size)))
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
    /** 3 min ago, in 2 days; a dash for no time at all. `now` and `seconds` in unix seconds. */
    ago: (seconds: number, now: number) => {
      const difference = seconds - now
      if (!Number.isFinite(difference)) return '—'
      const size = Math.abs(difference)
      if (size < 60) return relative.format(Math.round(difference), 'second')
      if (size < 3600) return relative.format(Math.round(difference / 60), 'minute')
      if (size < 86_400) return relative.format(Math.round(difference / 3600), 'hour')
      return relative.format(Math.round(difference / 86_400), 'day')
    },
  }
}

import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { usageMessages } from './messages.ts'
import type { UsageKey, UsageLine } from './usageSeries.ts'

/** How figures of usage are written. */
export function useUsageWords() {
  const text = useMessages(usageMessages)
  const format = useFormat()
  return {
    title: (key: UsageKey): string => text.titles[key],
    /** With its unit. */
    value: (key: UsageKey, value: number | undefined): string =>
      value === undefined ? text.unknown : text.units[key](format.number(value, digitsOf(value)), value),
    line: (name: NonNullable<UsageLine['name']>): string =>
      typeof name === 'number' ? text.card(format.number(name)) : text.names[name],
    /** A moment at the axis of a stretch of so many seconds. */
    axisTime: (time: number, seconds: number): string => {
      const moment = Math.round(time)
      if (seconds > 2 * 86_400) return format.day(moment)
      return seconds > 600 ? format.clock(moment).slice(0, 5) : format.clock(moment)
    },
  }
}

/** Three figures that count, so that little and much are read alike. */
const digitsOf = (value: number): number => (value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3)

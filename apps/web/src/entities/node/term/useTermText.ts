import { durationInWords } from '@rackfair/rules/duration'
import { useLocale } from '../../../i18n/locale.ts'

/** `3 months`, `1 day 12 hours`. */
export function useTermText(): (seconds: number) => string {
  const locale = useLocale()
  return (seconds) => durationInWords(seconds, locale)
}

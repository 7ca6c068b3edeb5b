import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { termTexts } from './termTexts.ts'

/** `3 months`, `1 month`. */
export function useMonthsText(): (months: number) => string {
  const text = useMessages(termTexts)
  const format = useFormat()
  return (months) => (months === 1 ? text.monthOf : text.monthsOf(format.number(months)))
}

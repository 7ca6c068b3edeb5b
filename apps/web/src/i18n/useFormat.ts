import { createFormat, type Format } from './format.ts'
import { type Locale, useLocale } from './locale.ts'

const formats = new Map<Locale, Format>()

export function useFormat(): Format {
  const locale = useLocale()
  const format = formats.get(locale) ?? createFormat(locale)
  formats.set(locale, format)
  return format
}

import type { Locale } from './locale.ts'

type Forms = { one?: string; other: string }

/** Chooses the form of a count and writes the number for `#`: `plural('en', 3, { one: '# node', other: '# nodes' })`. */
export function plural(locale: Locale, count: number, forms: Forms): string {
  const form = rules[locale].select(count) === 'one' ? (forms.one ?? forms.other) : forms.other
  return form.replaceAll('#', numbers[locale].format(count))
}

const rules: Record<Locale, Intl.PluralRules> = { en: new Intl.PluralRules('en'), zh: new Intl.PluralRules('zh') }
const numbers: Record<Locale, Intl.NumberFormat> = { en: new Intl.NumberFormat('en'), zh: new Intl.NumberFormat('zh') }

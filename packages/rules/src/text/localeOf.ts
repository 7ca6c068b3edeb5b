/** Languages of the pages. */
export type PageLocale = 'en' | 'zh'

/**
 * The first of these languages that the pages have, whatever region and script it names; English if they have none of them.
 * @param wanted language tags, the most wanted first.
 * @example localeOf(['de-CH', 'zh-Hans-CN', 'en']) // 'zh'
 */
export function localeOf(wanted: readonly string[]): PageLocale {
  const found = wanted.map((tag) => /^\s*(en|zh)(?![a-z0-9])/i.exec(tag)?.[1]).find((language) => language !== undefined)
  return found?.toLowerCase() === 'zh' ? 'zh' : 'en'
}

/**
 * The same of an `accept-language` header.
 * @example localeOfHeader('en;q=0.5, zh-CN') // 'zh'
 */
export function localeOfHeader(header: string): PageLocale {
  const weighted = header
    .slice(0, MAX_HEADER_CHARACTERS)
    .split(',')
    .map((one) => {
      const [tag = '', ...parameters] = one.split(';')
      const weight = parameters.map((text) => /^\s*q=(\d(?:\.\d{0,3})?)\s*$/i.exec(text)?.[1]).find((text) => text !== undefined)
      return { tag, weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ weight }) => weight > 0)
  return localeOf(weighted.toSorted((one, two) => two.weight - one.weight).map(({ tag }) => tag))
}

const MAX_HEADER_CHARACTERS = 1_000

/** The languages of the guides; the first lives at the root of the site, the others in folders of their own. */
export const LANGUAGES = ['en', 'zh'] as const
export type Language = (typeof LANGUAGES)[number]

/** The pages in the order of reading. `index` is the first page of a language. */
export const PAGES = ['index', 'buyers', 'providers', 'money', 'operators', 'developers', 'api', 'errors'] as const
export type Page = (typeof PAGES)[number]

/** The folder of a page below the root of the site, with a slash at its end; empty for the very first page. */
export function folderOf(language: Language, page: Page): string {
  return (language === 'en' ? '' : `${language}/`) + (page === 'index' ? '' : `${page}/`)
}

/** A link from one folder of the site to another, so that the site works below any path. */
export function linkBetween(from: string, to: string): string {
  const up = '../'.repeat(from.split('/').length - 1)
  return up + to === '' ? './' : up + to
}

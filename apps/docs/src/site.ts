/** The languages of the guides; the first lives at the root of the site, the others in folders of their own. */
export const LANGUAGES = ['en', 'zh'] as const
export type Language = (typeof LANGUAGES)[number]

/** The pages in the order of reading. `index` is the first page of a language. */
export const PAGES = [
  'index',
  'buyers',
  'providers',
  'money',
  'operators',
  'monitors',
  'edges',
  'cli',
  'developers',
  'api',
  'errors',
  'specification',
] as const
export type Page = (typeof PAGES)[number]

/** The folder of a page below the root of the site, with a slash at its end; empty for the very first page. */
export function folderOf(language: Language, page: Page): string {
  return (language === 'en' ? '' : `${language}/`) + (page === 'index' ? '' : `${page}/`)
}

/** The address of a page or file of the site. It is absolute, so that it holds with and without a slash at the end of the page's own. */
export function addressOf(folder: string): string {
  return `/docs/${folder}`
}

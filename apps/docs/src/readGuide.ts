import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fillInserts } from './fillInserts.ts'
import { type Heading, renderMarkdown } from './renderMarkdown.ts'
import type { Language, Page } from './site.ts'

export interface Guide {
  language: Language
  page: Page
  title: string
  /** The first paragraph, without markup. */
  description: string
  headings: Heading[]
  html: string
}

/** The checkout; sources of the guides and of what is computed into them are read from here. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** Reads `docs/guides/<language>/<page>.md` and renders the body of its page. Throws an error naming the file if it is not a guide. */
export function readGuide(language: Language, page: Page): Guide {
  const path = `docs/guides/${language}/${page}.md`
  const markdown = fillInserts(readFileSync(`${ROOT}${path}`, 'utf8'), language, path)
  const { title, description, headings, html } = renderMarkdown(markdown, { language, page })
  if (title === '' || description === '') throw new Error(`${path} must begin with a title and a paragraph`)
  return { language, page, title, description, headings, html }
}

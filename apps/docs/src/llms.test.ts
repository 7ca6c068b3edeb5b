import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './readGuide.ts'
import { addressOf, folderOf, PAGES } from './site.ts'

test('llms.txt leads models to every guide, by addresses that exist', () => {
  const text = readFileSync(join(ROOT, 'apps/web/public/llms.txt'), 'utf8')
  const named = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, address]) => address)
  const pages = PAGES.filter((page) => page !== 'index').map((page) => addressOf(folderOf('en', page)))
  expect(named.toSorted()).toEqual(pages.toSorted())
  // The form of llmstxt.org: a title, a summary, then lists of links below headings.
  expect(text).toMatch(/^# .+\n\n> .+\n/)
})

test('AGENTS.md names files that exist', () => {
  const text = readFileSync(join(ROOT, 'AGENTS.md'), 'utf8')
  const files = [...text.matchAll(/\]\(([\w./-]+)\)/g)].map(([, file = '']) => file)
  expect(files.length).toBeGreaterThan(3)
  for (const file of files) expect(existsSync(join(ROOT, file)), file).toBe(true)
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const folder = join(import.meta.dirname, '..', '..', 'docs', 'adr')
const files = readdirSync(folder).sort()

it('numbers decisions consecutively and uniquely', () => {
  expect(files.map((file) => file.slice(0, 5))).toEqual(files.map((_, index) => `${String(index + 1).padStart(4, '0')}-`))
})

it.each(files)('%s has the required format', (file) => {
  const text = readFileSync(join(folder, file), 'utf8')
  const head = new RegExp(
    `^# ${file.slice(0, 4)}\\. \\S.*\\n\\n- Date: \\d{4}-\\d\\d-\\d\\d\\n- Status: (Accepted|Replaced by \\[\\d{4}\\]\\(\\S+\\))\\n\\n`,
  )
  expect(text).toMatch(head)
  expect(text.match(/^## .*$/gm)).toEqual(['## Context', '## Decision', '## Consequences'])
  const links = [...text.matchAll(/\]\((\d{4}-[^)]+)\)/g)].map(([, link]) => link)
  expect(files).toEqual(expect.arrayContaining(links))
})

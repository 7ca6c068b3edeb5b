import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CASES } from './cases.ts'

it('documents every case in docs/cluster.md', () => {
  const page = readFileSync(new URL('../../../../../docs/cluster.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| (.+) \| [\d.]+ \| [\d.]+ \|$/gm)].map(([, name]) => name)
  expect(rows).toEqual(CASES.map(({ name }) => name))
})

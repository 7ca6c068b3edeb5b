import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import mutations from '../script/mutations.json' with { type: 'json' }

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')

it('applies each mutation to exactly one place of the source', () => {
  const places = mutations.map(({ name, file, find }) => [name, read(file).split(find).length - 1] as const)
  expect(places.filter(([, count]) => count !== 1)).toEqual([])
  expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length)
})

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readWish } from './readWish.ts'

const DOCUMENT = readFileSync(`${import.meta.dirname}/../../../../docs/searches.md`, 'utf8')
/** What is typed, and the query of the list that it becomes. */
const TYPED = [...DOCUMENT.matchAll(/^\| `(.+?)` \| `(.+?)` \|$/gm)].map(
  ([, typed = '', search = '']) => [typed, search] as const,
)

it('has at least fifty documented sentences, in Chinese too', () => {
  expect(TYPED.length).toBeGreaterThanOrEqual(50)
  expect(TYPED.filter(([typed]) => /\p{Script=Han}/u.test(typed)).length).toBeGreaterThanOrEqual(12)
})

it.each(TYPED)('%s', (typed, search) => {
  const conditions = Object.entries(readWish(typed)).map(([key, value]) => `${key}=${value}`)
  expect(conditions.sort()).toEqual(search.split('&').sort())
})

it('parses an empty text as nothing', () => expect(readWish('  ')).toEqual({}))

it('stays within the platform’s limits', () => expect(readWish('y'.repeat(300)).text).toHaveLength(100))

it('terminates on any input', () => {
  for (const unit of ['1', '$1', ' ', '1 ', '1,', '1.1', 'rtx ', '至少', '4 x ', 'at least ', '１２３，'])
    expect(readWish(unit.repeat(100_000)).text?.length ?? 0).toBeLessThanOrEqual(100)
})

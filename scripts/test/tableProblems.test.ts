import { expect, test } from 'vitest'
import { rowOf, tableProblems } from './tableProblems.ts'

const walls = [
  { name: 'one-wall', says: 'Nothing crosses it' },
  { name: 'another', says: 'Nor this' },
]
const table = (rows: readonly string[]) => ['# Walls', '| wall | what it keeps |', '|---|---|', ...rows, 'text'].join('\n')

test('accepts the table that says what the walls say', () => expect(tableProblems(table(walls.map(rowOf)), walls)).toEqual([]))

test('names a wall without a row, a row without a wall, and a sentence that differs', () => {
  expect(tableProblems(table([rowOf({ name: 'one-wall', says: 'Nothing crosses it' })]), walls)).toEqual([
    'missing: | `another` | Nor this |',
  ])
  expect(tableProblems(table([...walls.map(rowOf), '| `gone` | Was here |']), walls)).toEqual(['surplus: | `gone` | Was here |'])
  expect(
    tableProblems(table([rowOf({ name: 'one-wall', says: 'Nothing crosses it' }), '| `another` | Nor that |']), walls),
  ).toHaveLength(2)
})

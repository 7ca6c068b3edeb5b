import { expect, it } from 'vitest'
import { jsonErrorPlace } from './jsonErrorPlace.ts'

it.each([
  ['{\n  "owner": oops\n}', 2, 12],
  ['{"a": 1,}', 1, 9],
  ['{"a" 1}', 1, 6],
  ['[1, 2', 1, 6],
  ['{"a": "b\n"}', 1, 7],
  ['{"a": [1, {"b": 01}]}', 1, 18],
  ['{} x', 1, 4],
  ["{'a': 1}", 1, 2],
])('locates the JSON error of %j at line %i, column %i', (text, line, column) => {
  expect(() => JSON.parse(text)).toThrow()
  expect(jsonErrorPlace(text)).toEqual({ line, column })
})

it.each(['[', '{"a":'])('terminates on a link with %s repeated a hundred thousand times', (open) =>
  expect(jsonErrorPlace(open.repeat(100_000))).toEqual({ line: 1, column: 501 * open.length + 1 }),
)

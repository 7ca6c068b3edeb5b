import { expect, test } from 'vitest'
import { findImpure } from './findImpure.ts'

test.each([
  ['const now = Date.now()', ['Date.now']],
  ['const at = new Date()', ['Date()']],
  ['if (Math.random() < 0.5) return', ['Math.random']],
  ["const home = process.env.HOME ?? ''", ['process.env']],
  ["await fetch('https://example.org')", ['fetch(']],
])('finds in `%s` what a rule is given as an argument', (source, found) => expect(findImpure(source)).toEqual(found))

test.each([
  ['a given time', 'const text = new Date(seconds * 1000).toISOString()'],
  ['a comment', '/** Never calls Date.now(). */\n// nor Math.random()\nexport const one = 1'],
  ['a name that contains one', 'prefetch(order)'],
])('accepts %s', (_, source) => expect(findImpure(source)).toEqual([]))

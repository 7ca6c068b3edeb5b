import { expect, it } from 'vitest'
import { permitArgument } from './creditPermit.ts'

it.each([
  ['00', 27],
  ['01', 28],
  ['1b', 27],
  ['1c', 28],
])('normalises a signature ending in %s to a v of %i', (end, v) => {
  const r = `0x${'11'.repeat(32)}` as const
  const s = `0x${'22'.repeat(32)}` as const
  expect(permitArgument(5n, 9n, `${r}${s.slice(2)}${end}`)).toEqual({ value: 5n, deadline: 9n, v, r, s })
})

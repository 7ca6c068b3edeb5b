import { expect, test } from 'vitest'
import { caaFor, isBoundTo, issuersOf, namesWithCaa } from './issuers.ts'

const of = (...issue: unknown[]) => issuersOf(issue.map((one) => ({ critical: 0, issue: one })))
const A = 'https://acme.example/acct/1'

test.each<[string, ReturnType<typeof of>, string]>([
  ['no record', issuersOf([]), 'anybody'],
  [
    'other records alone',
    issuersOf([
      { critical: 0, iodef: 'mailto:a@b.example' },
      { critical: 128, issuewild: ';' },
    ]),
    'anybody',
  ],
  ['an empty one', of(';'), 'nobody'],
  ['only blanks', of('  '), 'nobody'],
  ['a name', of('ca.example'), 'authority'],
  ['one with an account', of(`ca.example; accounturi=${A}`), 'account'],
  ['an empty one does not take away what another gives', of(';', `ca.example;accounturi = ${A}`), 'account'],
  ['a second without an account', of(`ca.example; accounturi=${A}`, 'other.example'), 'authority'],
  ['an account said twice', of(`ca.example; accounturi=${A}; accounturi=${A}2`), 'authority'],
  ['an account without a value', of('ca.example; accounturi='), 'authority'],
  ['a value that is no text', of(7, null), 'anybody'],
])('%s lets %# issue', (_, issuers, who) => expect(issuers.who).toBe(who))

test('only records that all name one account bind a name to it', () => {
  const own = caaFor('ca.example', A)
  expect(own).toBe(`0 issue "ca.example; accounturi=${A}; validationmethods=tls-alpn-01,http-01"`)
  expect(isBoundTo(of(`ca.example; accounturi=${A}; validationmethods=tls-alpn-01`), own)).toBe(true)
  for (const other of [
    of(),
    of('ca.example'),
    of(`ca.example; accounturi=${A}2`),
    of(`ca.example; accounturi=${A}`, `b.example; accounturi=${A}2`),
  ])
    expect(isBoundTo(other, own)).toBe(false)
  expect(isBoundTo(of('ca.example; accounturi=x'), 'anything')).toBe(false)
})

test('records are looked for from the name upwards', () =>
  expect(namesWithCaa('a.b.example')).toEqual(['a.b.example', 'b.example', 'example']))

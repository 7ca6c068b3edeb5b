import { expect, it } from 'vitest'
import { explainRefusal } from './explainRefusal.ts'

it.each([
  ['BondTooLow', [1n, 10n ** 21n], /at least 1,?000 Credit/],
  ['StillBonded', [2 ** 40 - 1], /leave first/],
  ['StillBonded', [1_796_090_400], /from 2026-12-01T02:00:00.000Z$/],
  ['UrlTooLong', [200n, 128n], /at most 128/],
  ['NotMonitor', ['0x1'], /never joined/],
  ['NothingEarned', ['0x1'], /nothing is left to take/],
  ['AlreadyMonitor', ['0x1'], /already/],
  ['WrongReveal', ['0x1', 3n], /WrongReveal\(0x1, 3\)/],
])('explains %s in a sentence', (name, args, sentence) => {
  expect(explainRefusal(name, args)).toMatch(sentence)
})

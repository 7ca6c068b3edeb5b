import { expect, test } from 'vitest'
import { createErrorGuard } from './errorGuard.ts'

function guarded({ serving = true, report = (_facts: object, message: string) => void said.push(message) } = {}) {
  let time = 0
  let ends = 0
  said.length = 0
  const guard = createErrorGuard({ now: () => time, report, end: () => (ends += 1) })
  if (serving) guard.serving()
  return { guard, pass: (ms: number) => (time += ms), ends: () => ends }
}
const said: string[] = []

test('an error ends the start, and once the program serves it is only reported and counted', () => {
  const { guard, ends } = guarded({ serving: false })
  guard.caught(new Error('early'))
  expect(ends()).toBe(1)
  guard.serving()
  for (const odd of [new Error('later'), 'text', undefined, null, Object.create(null)]) guard.caught(odd)
  expect(ends()).toBe(1)
  expect(guard.count()).toBe(6)
  // What cannot be turned into text cannot be reported.
  expect(said).toHaveLength(5)
})

test('ten of a minute are reported, all are counted, and the 101st ends the program', () => {
  const { guard, pass, ends } = guarded()
  for (let index = 0; index < 100; index += 1) guard.caught(new Error('again'))
  expect([said.length, guard.count(), ends()]).toEqual([10, 100, 0])
  pass(60_000)
  for (let index = 0; index < 100; index += 1) guard.caught(new Error('again'))
  expect([said.length, ends()]).toEqual([20, 0])
  guard.caught(new Error('again'))
  expect([said.length, ends()]).toEqual([21, 1])
  expect(said.at(-1)).toContain('more than 100 errors within a minute')
})

test('a log that fails does not stop it', () => {
  const { guard, ends } = guarded({
    report: () => {
      throw new Error('EPIPE')
    },
  })
  guard.caught(new Error('one'))
  expect([guard.count(), ends()]).toEqual([1, 0])
})

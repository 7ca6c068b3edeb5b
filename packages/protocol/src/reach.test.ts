import { expect, test } from 'vitest'
import { reachAnswer, readReach } from './reach.ts'
import { zodOf } from './zodOf.ts'

test('parses the six outcomes of a probe', () => {
  const reach = { outcome: 'reachable', ip: '::1', port: 7070, tls: true, milliseconds: 12 }
  expect(readReach(zodOf(reachAnswer).parse(reach))).toEqual({ outcome: 'reachable', ip: '::1', port: 7070, milliseconds: 12 })
  expect(() => readReach({ ...reach, outcome: 'fine' })).toThrow(/reach.outcome/)
  expect(() => readReach({ ...reach, port: -1 })).toThrow(/reach.port/)
})

import { expect, test } from 'vitest'
import { createAdmission } from './admission.ts'

const limits = { requests: 6, requestsPerNetwork: 2, pace: { burst: 5, perSecond: 1 }, jobsPerPayer: 2 }

test('leaves room for others, whoever holds or sends many requests', () => {
  let now = 0
  const { enter } = createAdmission(limits, () => now)
  const held = [enter('192.0.2.1'), enter('192.0.2.1')]
  expect(() => enter('192.0.2.1')).toThrow('2 requests of this network')
  // One customer chooses addresses of a whole /64, and of a few more.
  const subscriber = (subnet: number) => enter(`2001:db8:0:${subnet}::${subnet}`)
  held.push(subscriber(1), subscriber(1))
  expect(() => enter('2001:db8:0:1:a:b:c:d')).toThrow('2 requests of this network')
  held.push(enter('192.0.2.2'), enter(undefined))
  expect(() => enter('192.0.2.3')).toThrow('6 requests are under way')
  for (const leave of held.splice(0)) leave()
  const tries = Array.from({ length: 20 }, () => {
    try {
      enter('192.0.2.4')()
      return 'in'
    } catch {
      return 'out'
    }
  })
  expect(tries.filter((one) => one === 'in')).toHaveLength(limits.pace.burst)
  expect(() => enter('192.0.2.4')).toThrow('asks too often')
  enter('192.0.2.5')()
  now += 1_000
  enter('192.0.2.4')()
})

test('counts a payer’s jobs by what has arrived, so that nobody can be named out', () => {
  const { payer } = createAdmission(limits)
  const named = Array.from({ length: 5 }, () => payer('0xAB'))
  const begun = named.map(({ begin }) => begin())
  expect(() => payer('0xab')).toThrow('2 jobs of this payer')
  payer('0xcd')
  for (const done of begun) done()
  payer('0xab')
})

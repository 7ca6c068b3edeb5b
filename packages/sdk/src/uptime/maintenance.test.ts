import { PRODUCTION_PACE } from '@rackfair/rules/uptime/epoch'
import { expect, it } from 'vitest'
import { announceMaintenance, withdrawMaintenance } from './maintenance.ts'

const monitors = { address: `0x${'44'.repeat(20)}`, findings: `0x${'55'.repeat(20)}`, pace: PRODUCTION_PACE } as const
const DAY = 86_400
const MONTH = 30 * DAY
const now = 600 * MONTH
const iso = (time: number) => new Date(time * 1000).toISOString()
const announce = (from: number, until: number, nodeIds = [1n]) => announceMaintenance(monitors, { nodeIds, from, until }, now)

it('announces and withdraws whole epochs, including the first and the last partial one', () => {
  const { address, functionName, args } = announce(now + 2 * DAY + 10, now + 2 * DAY + 610)
  expect([address, functionName, args]).toEqual([
    monitors.findings,
    'announceMaintenance',
    [[1n], BigInt((now + 2 * DAY) / 300), 3],
  ])
  const same = withdrawMaintenance(monitors, { nodeIds: [1n], from: now + 2 * DAY, until: now + 2 * DAY + 900 }, now)
  expect([same.functionName, same.args]).toEqual(['withdrawMaintenance', args])
})

it('accepts a notice of exactly a day and a duration of eight hours, up to the end of a month', () => {
  expect(announce(now + DAY, now + DAY + 28_800).args[2]).toBe(96)
  expect(announce(now + MONTH - 28_800, now + MONTH).args[2]).toBe(96)
})

it.each([
  ['nearer than a day', () => announce(now + DAY - 1, now + DAY + 600), `86400 s ahead: not before ${iso(now + DAY)}`],
  ['longer than eight hours', () => announce(now + 2 * DAY, now + 2 * DAY + 28_801), 'at most 28800 s'],
  ['without an end', () => announce(now + 2 * DAY, Number.NaN), 'ends after it begins'],
  ['that ends before it begins', () => announce(now + 2 * DAY, now + 2 * DAY), 'ends after it begins'],
  ['over the end of a month', () => announce(now + MONTH - 300, now + MONTH + 1), `ends at ${iso(now + MONTH)}`],
  ['for no node', () => announce(now + 2 * DAY, now + 3 * DAY, []), '1 to 50 nodes'],
  ['for too many nodes', () => announce(now + 2 * DAY, now + 2 * DAY + 300, Array(51).fill(1n)), '1 to 50 nodes'],
])('refuses maintenance %s', (_, act, reason) => {
  expect(act).toThrow(reason)
})

import type { DeploymentPhase } from '@rackfair/rules/deployment/phase'
import { OrderStatus } from '@rackfair/rules/order/status'
import { orderTime } from '@rackfair/rules/order/time'
import { describe, expect, test } from 'vitest'
import { expiryWarning } from './expiryWarning.ts'
import { filterOrders, readOrderFilter } from './orderFilter.ts'
import { applicationWord } from './statusWord.ts'

const warningOf = (duration: number) => (left: number) =>
  expiryWarning(orderTime({ status: 2, createTime: 0, activateTime: 1000, closeTime: 0, duration }, 1000 + duration - left))

test('warns 3 days and 1 day before the end of an order', () => {
  const warning = warningOf(2_592_000)
  expect([3 * 86_400 + 1, 3 * 86_400, 86_401, 86_400, 1].map(warning)).toEqual([
    undefined,
    'soon',
    'soon',
    'very_soon',
    'very_soon',
  ])
})

test.each([
  ['an hour', 3_600, 720, 360],
  ['a day', 86_400, 17_280, 8_640],
  ['a week', 604_800, 120_960, 60_480],
])('warns of the end of an order of %s when little of it is left, not when it begins', (_, duration, soon, verySoon) => {
  const warning = warningOf(duration)
  expect([duration, soon + 1, soon, verySoon + 1, verySoon, 1].map(warning)).toEqual([
    undefined,
    undefined,
    'soon',
    'soon',
    'very_soon',
    'very_soon',
  ])
})

test('reads filters from the URL', () => {
  expect([undefined, 'ended', 'all', 'x'].map(readOrderFilter)).toEqual(['active', 'ended', 'all', 'active'])
  const orders = [1, 2, 3, 4, 5, 6].map((status) => ({ status }))
  expect(filterOrders(orders, 'active').map((order) => order.status)).toEqual([1, 2])
  expect(filterOrders(orders, 'ended').map((order) => order.status)).toEqual([3, 4, 5, 6])
  expect(filterOrders(orders, 'all')).toHaveLength(6)
})

describe('the one word for an order that is not over', () => {
  const present = { state: 'present', fact: 'report', deployId: 2 } as const
  const at = (phase: DeploymentPhase) => ({ phase, deployId: 2, steps: [] })
  test.each([
    [OrderStatus.Created, { state: 'unknown' }, undefined, 'waiting'],
    [OrderStatus.Created, { state: 'none', fact: 'flag' }, null, 'ready'],
    [OrderStatus.Created, { state: 'busy', fact: 'report' }, at('Pulling'), 'starting'],
    [OrderStatus.Active, { state: 'unknown' }, undefined, 'running'],
    [OrderStatus.Active, { state: 'none', fact: 'flag' }, null, 'ready'],
    [OrderStatus.Active, { state: 'busy', fact: 'report' }, at('Starting'), 'starting'],
    [OrderStatus.Active, present, at('Running'), 'running'],
    [OrderStatus.Active, present, at('Stopped'), 'stopped'],
    [OrderStatus.Active, present, at('Finished'), 'finished'],
    [OrderStatus.Active, present, at('Degraded'), 'degraded'],
    [OrderStatus.Active, { state: 'none', fact: 'report' }, at('Failed'), 'failed'],
    [OrderStatus.Active, { state: 'present', fact: 'flag', deployId: undefined }, at('Failed'), 'running'],
    [OrderStatus.Active, { state: 'none', fact: 'report' }, at('Cleaned'), 'ready'],
  ] as const)('%i, %j: %s', (status, application, latest, word) =>
    expect(applicationWord(status, application, latest)).toBe(word),
  )
})

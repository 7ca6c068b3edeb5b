import { orderTime } from '@rackfair/core'
import { expect, test } from 'vitest'
import { expiryWarning } from './expiryWarning.ts'
import { filterOrders, readOrderFilter } from './orderFilter.ts'

test('warns 3 days and 1 day before the end of an order', () => {
  const order = { status: 2, createTime: 0, activateTime: 1000, closeTime: 0, duration: 2_592_000 }
  const warning = (left: number) => expiryWarning(orderTime(order, 1000 + 2_592_000 - left))
  expect([3 * 86_400 + 1, 3 * 86_400, 86_401, 86_400, 1].map(warning)).toEqual([
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

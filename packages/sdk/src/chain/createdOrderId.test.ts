import { expect, test } from 'vitest'
import { createdOrderId } from './createdOrderId.ts'
import { extendedDuration } from './extendedDuration.ts'

test('a receipt without orders has neither an order id nor a duration', () => {
  expect([createdOrderId({ logs: [] }), extendedDuration({ logs: [] })]).toEqual([undefined, undefined])
})

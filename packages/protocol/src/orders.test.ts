import { nodeAnswer, orderAnswer } from '@rackfair/testkit/fixtures'
import { describe, expect, test } from 'vitest'
import type { OrderWire } from './orders.ts'
import { eventAmount, readOrder, readOrderEvents, readOrders, readReceipt } from './orders.ts'

const CREDIT = 10n ** 18n
const HASH = `0x${'ab'.repeat(32)}`
const EVENT = { name: 'OrderSettled', block: 5, time: 1_800_000_000, logIndex: 2, transactionHash: HASH, args: { gross: '7' } }
const AMOUNTS = { paid: '9', earned: '5', commission: '1', refunded: '3', compensated: '0' }
const RECEIPT = {
  order: orderAnswer(),
  lines: [{ ...AMOUNTS, time: 1_800_000_000, event: 'OrderSettled', seconds: null, transactionHash: HASH }],
  spans: [
    {
      ...{ kind: 'paid', from: 1, until: 3, earned: '5', back: '0', epochs: 1, agreed: 0, reported: 0, transactionHash: null },
    },
  ],
  asOf: 1_800_000_001,
  totals: { ...AMOUNTS, escrow: '1' },
  block: 9,
}

test('parses an order into the names of the glossary, with bigint amounts, lower-case accounts and its node', () => {
  const order = readOrder(orderAnswer({ user: `0x${'AA'.repeat(20)}`, node: nodeAnswer() }))
  expect(order).toMatchObject({
    id: '12',
    orderId: 12n,
    user: `0x${'aa'.repeat(20)}`,
    nodeId: 3,
    ratePerMonthWei: 30n * CREDIT,
    totalValueWei: 60n * CREDIT,
    prices: { pCPU: 15n * CREDIT },
    resources: { nCPU: 2 },
    userConfirm: false,
    node: { name: 'helios-3' },
    maintenance: [],
  })
  expect(readOrder(orderAnswer({ maintenance: [{ from: 1, until: 2 }] })).maintenance).toEqual([{ from: 1, until: 2 }])
  expect(readOrder(orderAnswer({ id: '18446744073709551615' })).orderId).toBe(2n ** 64n - 1n)
  expect(readOrders([orderAnswer(), orderAnswer({ id: '7' })]).map(({ id }) => id)).toEqual(['12', '7'])
})

test('parses the lines, spans and totals of a receipt in wei', () => {
  const receipt = readReceipt(RECEIPT)
  expect(receipt.lines[0]).toMatchObject({ paidWei: 9n, earnedWei: 5n, seconds: null })
  expect(receipt.spans[0]).toMatchObject({ earnedWei: 5n, backWei: 0n, transactionHash: null })
  expect(receipt.totals).toEqual({
    paidWei: 9n,
    earnedWei: 5n,
    commissionWei: 1n,
    refundedWei: 3n,
    compensatedWei: 0n,
    escrowWei: 1n,
  })
  expect(() => readReceipt({ ...RECEIPT, totals: AMOUNTS })).toThrow(/receipt.totals.escrow is not an amount/)
  expect(() => readReceipt({ ...RECEIPT, lines: [{ ...RECEIPT.lines[0], transactionHash: '0x' }] })).toThrow(/transactionHash/)
})

test('parses the amount of an event on demand, and a missing one as 0', () => {
  const [event] = readOrderEvents({ events: [EVENT], block: 5 })
  expect(event && eventAmount(event, 'gross')).toBe(7n)
  expect(event && eventAmount(event, 'paid')).toBe(0n)
  const args = { user: `0x${'aa'.repeat(20)}`, duration: 3600, full: true }
  expect(readOrderEvents({ events: [{ ...EVENT, args }], block: 5 })).toEqual([{ ...EVENT, args }])
  const [wrong] = readOrderEvents({ events: [{ ...EVENT, args: { gross: 'much' } }], block: 5 })
  expect(() => wrong && eventAmount(wrong, 'gross')).toThrow(expect.objectContaining({ code: 'answer_malformed' }))
})

describe('a malformed order is refused', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['of an id with a leading zero', { id: '012' }, 'order.id'],
    ['of an id that is a number', { id: 12 }, 'order.id'],
    ['of a negative id', { id: '-1' }, 'order.id'],
    ['of nobody', { user: null }, 'order.user'],
    ['free of charge, because seconds are counted by its price', { rate: '0' }, 'order.rate'],
    ['of a negative rest', { remain: '-1' }, 'order.remain'],
    ['of a price with an exponent', { totalValue: '1e18' }, 'order.totalValue'],
    ['of a time before 1970', { createTime: -1 }, 'order.createTime'],
    ['of a time in words', { createTime: 'now' }, 'order.createTime'],
    ['confirmed by a word', { UserConfirm: 'true' }, 'order.UserConfirm'],
    ['without resources', { r: undefined }, 'order.r'],
    ['on a node that is no node', { node: {} }, 'order.node'],
    ['of a name of two thousand characters', { appName: 'x'.repeat(2000) }, 'order.appName'],
    ['in endless maintenance', { maintenance: Array(101).fill({ from: 1, until: 2 }) }, 'order.maintenance'],
  ])('%s', (_, changes, field) => {
    expect(() => readOrder({ ...orderAnswer(), ...changes } as OrderWire)).toThrow(`cannot be read: ${field}`)
  })
  test.each([
    ['an event of objects', { ...EVENT, args: { gross: {} } }],
    ['an event of nothing', { ...EVENT, args: { gross: null } }],
    ['an event of a text without end', { ...EVENT, args: { gross: '1'.repeat(1001) } }],
    ['an event without arguments', { ...EVENT, args: null }],
    ['an event of a list', { ...EVENT, args: [] }],
  ])('as is %s', (_, event) => expect(() => readOrderEvents({ events: [event] })).toThrow(/cannot be read: events.events.args/))
})

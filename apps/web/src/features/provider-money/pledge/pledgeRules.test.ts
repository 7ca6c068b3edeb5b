import { parseCredit } from '@rackfair/rules/money'
import { describe, expect, it } from 'vitest'
import { type PledgeFacts, pledgeBlocker, pledgeQuantityWei, unpledgeBlocker } from './pledgeRules.ts'

const usd = (text: string) => parseCredit(text) as bigint
const facts = (changes: Partial<PledgeFacts> = {}): PledgeFacts => ({
  quantity: '1',
  pledgedWei: 0n,
  lockedWei: 0n,
  creditWei: usd('10'),
  nativeWei: 1n,
  listed: 0,
  ...changes,
})

describe('pledge', () => {
  it('accepts the default of 1 USD', () => expect(pledgeBlocker(facts())).toBeUndefined())
  it('requires at least 1 USD in total', () => {
    expect(pledgeBlocker(facts({ quantity: '0.999' }))).toBe('below_minimum')
    expect(pledgeBlocker(facts({ quantity: '0.5', pledgedWei: usd('0.5') }))).toBeUndefined()
  })
  it('requires a sufficient balance', () => {
    expect(pledgeBlocker(facts({ quantity: '10.000000000000000001' }))).toBe('balance_low')
    expect(pledgeBlocker(facts({ quantity: '10' }))).toBeUndefined()
  })
  it('refuses an invalid amount', () => {
    for (const quantity of ['', '0', '-1', '1e3', '1,5', 'one']) expect(pledgeBlocker(facts({ quantity }))).toBe('not_an_amount')
  })
  it('waits for the figures and reports missing gas', () => {
    expect(pledgeBlocker(facts({ creditWei: undefined }))).toBe('reading')
    expect(pledgeBlocker(facts({ nativeWei: 0n }))).toBe('no_gas')
  })
})

describe('unpledge', () => {
  it('is disabled while nothing is pledged', () => expect(unpledgeBlocker(facts())).toBe('nothing_pledged'))
  it('refuses more than is pledged', () =>
    expect(unpledgeBlocker(facts({ quantity: '3', pledgedWei: usd('2') }))).toBe('more_than_pledged'))
  it('refuses what orders lock', () => {
    const behindOrders = { pledgedWei: usd('30'), lockedWei: usd('14'), listed: 1 }
    expect(unpledgeBlocker(facts({ ...behindOrders, quantity: '16.000000000000000001' }))).toBe('locked')
    expect(unpledgeBlocker(facts({ ...behindOrders, quantity: '16' }))).toBeUndefined()
  })
  it('leaves nothing or at least 1 USD', () => {
    expect(unpledgeBlocker(facts({ quantity: '1.5', pledgedWei: usd('2') }))).toBe('rest_below_minimum')
    expect(unpledgeBlocker(facts({ quantity: '1', pledgedWei: usd('2') }))).toBeUndefined()
    expect(unpledgeBlocker(facts({ quantity: '2', pledgedWei: usd('2') }))).toBeUndefined()
  })
  it('keeps 1 USD while nodes are listed', () => {
    expect(unpledgeBlocker(facts({ quantity: '2', pledgedWei: usd('2'), listed: 1 }))).toBe('nodes_listed')
    expect(unpledgeBlocker(facts({ quantity: '1', pledgedWei: usd('2'), listed: 1 }))).toBeUndefined()
  })
})

it('parses the quantity to the wei', () => {
  expect(pledgeQuantityWei('0.000000000000000001')).toBe(1n)
  expect(pledgeQuantityWei('0')).toBeUndefined()
})

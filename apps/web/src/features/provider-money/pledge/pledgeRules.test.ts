import { parseCredit } from '@rackfair/core'
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
  it('is open for the default of 1 USD', () => expect(pledgeBlocker(facts())).toBeUndefined())
  it('needs entered plus current to reach 1 USD', () => {
    expect(pledgeBlocker(facts({ quantity: '0.999' }))).toBe('below_minimum')
    expect(pledgeBlocker(facts({ quantity: '0.5', pledgedWei: usd('0.5') }))).toBeUndefined()
  })
  it('needs a balance of at least what is entered', () => {
    expect(pledgeBlocker(facts({ quantity: '10.000000000000000001' }))).toBe('balance_low')
    expect(pledgeBlocker(facts({ quantity: '10' }))).toBeUndefined()
  })
  it('refuses what is no amount', () => {
    for (const quantity of ['', '0', '-1', '1e3', '1,5', 'one']) expect(pledgeBlocker(facts({ quantity }))).toBe('not_an_amount')
  })
  it('waits for the figures and names missing gas', () => {
    expect(pledgeBlocker(facts({ creditWei: undefined }))).toBe('reading')
    expect(pledgeBlocker(facts({ nativeWei: 0n }))).toBe('no_gas')
  })
})

describe('unpledge', () => {
  it('is closed while nothing is pledged', () => expect(unpledgeBlocker(facts())).toBe('nothing_pledged'))
  it('gives no more than is pledged', () =>
    expect(unpledgeBlocker(facts({ quantity: '3', pledgedWei: usd('2') }))).toBe('more_than_pledged'))
  it('gives no more than is free of orders', () => {
    const behindOrders = { pledgedWei: usd('30'), lockedWei: usd('14'), listed: 1 }
    expect(unpledgeBlocker(facts({ ...behindOrders, quantity: '16.000000000000000001' }))).toBe('locked')
    expect(unpledgeBlocker(facts({ ...behindOrders, quantity: '16' }))).toBeUndefined()
  })
  it('leaves nothing or at least 1 USD', () => {
    expect(unpledgeBlocker(facts({ quantity: '1.5', pledgedWei: usd('2') }))).toBe('rest_below_minimum')
    expect(unpledgeBlocker(facts({ quantity: '1', pledgedWei: usd('2') }))).toBeUndefined()
    expect(unpledgeBlocker(facts({ quantity: '2', pledgedWei: usd('2') }))).toBeUndefined()
  })
  it('keeps the whole pledge while nodes are listed, but not what lies above 1 USD', () => {
    expect(unpledgeBlocker(facts({ quantity: '2', pledgedWei: usd('2'), listed: 1 }))).toBe('nodes_listed')
    expect(unpledgeBlocker(facts({ quantity: '1', pledgedWei: usd('2'), listed: 1 }))).toBeUndefined()
  })
})

it('reads the quantity to the wei', () => {
  expect(pledgeQuantityWei('0.000000000000000001')).toBe(1n)
  expect(pledgeQuantityWei('0')).toBeUndefined()
})

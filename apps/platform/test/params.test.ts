import type { NodeListItem } from '@rackfair/protocol/nodes'
import { checkoutBlocker } from '@rackfair/rules/order/checkout'
import { readNodeOffer } from '@rackfair/sdk/http'
import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Market, startMarket } from './startMarket.ts'

let market: Market
let block: number
beforeAll(async () => {
  market = await startMarket()
  block = await market.act.becomeProvider()
})
afterAll(() => market.stop())

it('judges what can be bought by the penalty that the owner of the Market has set', async () => {
  const { act, chain, platform } = market
  const first = await item()
  expect(first.penalty).toBe(86_400)
  // Enough for a day of the price, and too little for a week of it.
  const pledge = parseEther('1') + (BigInt(first.ratePerMonth) * 2n) / 30n
  const code = async (node: NodeListItem) => {
    const machine = readNodeOffer({ ...node, pledge: String(pledge), online: true })
    return checkoutBlocker({ machine }, { address: undefined }, { now: 0, penalty: node.penalty })?.code
  }
  expect(await code(first)).toBeUndefined()
  await act.send(chain.accounts.owner, 'market', 'setPenalty', [7 * 86_400])
  await platform.sweep()
  const second = await item()
  expect(second.penalty).toBe(7 * 86_400)
  expect(await code(second)).toBe('pledge_locked')
})

const item = async () =>
  (await market.get<{ items: NodeListItem[] }>(`/v1/nodes?minBlock=${block}`)).body.items[0] as NodeListItem

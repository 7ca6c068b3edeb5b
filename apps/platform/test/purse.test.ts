import { configAnswer } from '@rackfair/protocol/config'
import { orderList } from '@rackfair/protocol/orders'
import { formatSignInText } from '@rackfair/protocol/signInText'
import { zodOf } from '@rackfair/protocol/zodOf'
import {
  buyOrder,
  createPurse,
  depositToPurse,
  grantKey,
  type Payer,
  purseAddress,
  readAddresses,
  revokeKey,
  signAsUser,
  withPurse,
} from '@rackfair/sdk'
import { type Account, createWalletClient, http, type LocalAccount, parseEther } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Market, startMarket } from './startMarket.ts'

let market: Market
let owner: Payer
let key: Payer
let purse: `0x${string}`
beforeAll(async () => {
  market = await startMarket()
  const { act, chain } = market
  await act.becomeProvider()
  await act.send(chain.accounts.faucet, 'credit', 'transfer', [chain.accounts.user.address, parseEther('2000')])
  owner = await payerOf(chain.accounts.user)
  purse = (await createPurse(owner)).purse
  await depositToPurse(owner, purse, parseEther('1000'))
  key = withPurse(await payerOf(chain.accounts.otherUser), purse)
  await grantKey(owner, purse, chain.accounts.otherUser.address, { totalWei: parseEther('600'), validUntil: 2_000_000_000 })
})
afterAll(() => market?.stop())

it('names the factory of purses', async () => {
  const config = configAnswer.parse((await market.get('/v1/config')).body)
  expect(config.purseFactory).toBe(market.chain.deployment.purseFactory?.toLowerCase())
  expect(purseAddress(config.purseFactory as `0x${string}`, owner.wallet.account.address)).toBe(purse)
})

it('lists what keys bought among the orders of the purse’s owner, and tells the owner’s event stream', async () => {
  const { platform, get, chain } = market
  const { user, provider, otherUser } = chain.accounts
  const aborted = new AbortController()
  const events = await fetch(`${platform.url}/v1/events?topics=order&user=${user.address}`, { signal: aborted.signal })
  const { orderId, block } = await buyOrder(key, { provider: provider.address, nodeId: 1, months: 1 })
  const listed = async (address: string) =>
    zodOf(orderList)
      .parse((await get(`/v1/user/${address}/order/list?minBlock=${block}`)).body)
      .map(({ id, user: buyer }) => [id, buyer])
  const theirs = [[String(orderId), purse.toLowerCase()]]
  expect(await listed(user.address)).toEqual(theirs)
  expect(await listed(purse)).toEqual(theirs)
  expect(await listed(otherUser.address)).toEqual([])
  let said = ''
  for await (const chunk of events.body as unknown as AsyncIterable<Uint8Array>) {
    said += new TextDecoder().decode(chunk)
    if (said.includes(`"${orderId}"`)) break
  }
  expect(said).toContain('event: order')
  aborted.abort()
})

it('signs a key in as its purse, until it is revoked', async () => {
  const { chain } = market
  const verify = async () => {
    const { body } = await market.get<{ nonce: string }>('/v1/auth/nonce', { method: 'POST' })
    const { host, origin } = new URL(market.platform.url)
    const issuedAt = Math.floor(Date.now() / 1000)
    const facts = { domain: host, uri: origin, address: purse, chainId: chain.chainId, nonce: body.nonce, issuedAt }
    const message = formatSignInText(facts)
    const signature = await signAsUser(key, message)
    return market.get('/v1/auth/verify', {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ message, signature }) },
    })
  }
  expect(await verify()).toMatchObject({ status: 200, body: { address: purse.toLowerCase() } })
  await revokeKey(owner, purse, chain.accounts.otherUser.address)
  expect(await verify()).toMatchObject({ status: 401, body: { code: 'signature_invalid' } })
})

async function payerOf(account: LocalAccount): Promise<Payer> {
  const { chain, act } = market
  const client = act.client as unknown as Payer['client']
  const wallet = createWalletClient({ account: account as Account, transport: http(chain.rpcUrl) })
  const addresses = await readAddresses(client, chain.deployment.access)
  return { client, addresses, chainId: chain.chainId, wallet, purses: chain.deployment.purseFactory }
}

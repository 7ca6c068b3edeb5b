import { creditAbi } from '@rackfair/contracts'
import { type FaucetAnswer, faucetAnswer } from '@rackfair/protocol/account'
import { developmentAccounts } from '@rackfair/testkit'
import { type Address, type Hex, parseEther, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Market, startMarket } from './startMarket.ts'

let market: Market
beforeAll(async () => {
  const key = developmentAccounts().faucet.getHdKey().privateKey as Uint8Array
  market = await startMarket({ faucetKey: toHex(key), rateScale: 1 })
})
afterAll(() => market.stop())

it('sends Credit and gas, even to several accounts at once', async () => {
  const people = Array.from({ length: 4 }, () => privateKeyToAddress(generatePrivateKey()))
  const answers = await Promise.all(people.map(ask))
  for (const [index, { status, body }] of answers.entries()) {
    expect(status).toBe(200)
    const { transactionHashes, credit, gas } = faucetAnswer.parse(body)
    const { client } = market.act
    for (const hash of transactionHashes)
      expect((await client.getTransactionReceipt({ hash: hash as Hex })).status).toBe('success')
    const address = people[index] as Address
    expect(await client.getBalance({ address })).toBe(BigInt(gas))
    expect(await heldBy(address)).toBe(BigInt(credit))
    expect([BigInt(gas), BigInt(credit)]).toEqual([parseEther('1'), parseEther('10000')])
  }
})

it('refuses an address that has had its share, with the time to wait, and sends nothing', async () => {
  const address = privateKeyToAddress(generatePrivateKey())
  const began = Date.now()
  let granted = 0
  let answer = await ask(address)
  for (; answer.status === 200; granted += 1) answer = await ask(address)
  // One more is granted every minute, and a busy machine takes its time.
  const back = Math.floor((Date.now() - began) / 60_000)
  expect(granted).toBeGreaterThanOrEqual(3)
  expect(granted).toBeLessThanOrEqual(3 + back)
  expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await heldBy(address)).toBe(parseEther('10000') * BigInt(granted))
  expect((await ask(privateKeyToAddress(generatePrivateKey()))).status).toBe(200)
})

it('refuses an invalid address', async () => {
  for (const address of ['', '0x', `0x${'g'.repeat(40)}`]) {
    expect(await ask(address as Address)).toMatchObject({ status: 400, body: { code: 'bad_request' } })
  }
})

function ask(address: Address) {
  const headers = { 'content-type': 'application/json' }
  return market.get<FaucetAnswer & { code: string }>('/v1/faucet', {
    method: 'POST',
    headers,
    body: JSON.stringify({ address }),
  })
}

function heldBy(address: Address): Promise<bigint> {
  const { credit } = market.chain.deployment
  return market.act.client.readContract({ address: credit, abi: creditAbi, functionName: 'balanceOf', args: [address] })
}

import { creditAbi, findingsAbi, monitorsAbi } from '@rackfair/contracts'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { agreedDown, neededVotes, PRODUCTION_PACE } from '@rackfair/rules/uptime/epoch'
import { type MonitoredMarket, startMonitoredMarket } from '@rackfair/testkit'
import { encodeAbiParameters, type Hex, parseAbiParameters } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contractCall, readMarket } from '../chain/contractCall.ts'
import { signVoucher } from '../chain/signVoucher.ts'
import { getOrder } from '../chain/views.ts'
import { acknowledgementData } from './evidence.ts'
import { findContradictions } from './findContradictions.ts'
import { readMonitors } from './readMonitors.ts'
import { type DowntimeReport, reportCommitment, reportTree } from './reports.ts'

const HOUR = 3600
let market: MonitoredMarket
beforeAll(async () => {
  market = await startMonitoredMarket({ monitors: 3 })
})
afterAll(() => market.stop())

test('deducts downtime that two of three monitors saw, and takes the bond of one that contradicts itself', async () => {
  const { client, addresses, accounts, contract, calendar, at, send } = market
  const [orderId = 0n] = market.orderIds
  const { activateTime } = await getOrder(client, addresses, orderId)
  const period = calendar.periodAt(activateTime) + 1
  const end = calendar.endOf(period)
  const observed = (1n << BigInt(calendar.epochsPerPeriod)) - 1n
  const downs = [0b0111n, 0b0110n, 0n]

  const trees = await report(
    period,
    downs.map((down) => [
      { market: addresses.market, orderId, observed, down },
      { market: addresses.market, orderId: orderId + 1n, observed, down: observed },
      { market: addresses.market, orderId: orderId + 2n, observed, down: 0n },
    ]),
  )
  const votes = downs.map((down, index) => ({
    monitor: accounts[index]?.address as Hex,
    report: { observed, down },
    proof: trees[index]?.proof(0) as Hex[],
  }))
  await at(end + 2 * HOUR)
  const sorted = votes.toSorted((a, b) => (a.monitor.toLowerCase() < b.monitor.toLowerCase() ? -1 : 1))
  await send(market.stranger, 'submit', [addresses.market, orderId, BigInt(period), sorted])
  const agreed = agreedDown(downs, neededVotes(3))
  expect(agreed).toBe(0b0110n)

  const args = [addresses.market, orderId, BigInt(period)] as const
  const { finalAt } = await client.readContract({ address: market.findings, abi: findingsAbi, functionName: 'findingOf', args })
  await at(finalAt)
  await send(market.stranger, 'credit', [addresses.market, orderId, BigInt(period)])
  expect((await getOrder(client, addresses, orderId)).down).toBe(2 * calendar.epochSeconds)

  const { address: market_, provider, nodeId } = { address: addresses.market, provider: market.provider.address, nodeId: 1n }
  const liar = accounts[0] as (typeof accounts)[number]
  const acknowledged = { market: market_, orderId, provider, nodeId, epoch: calendar.firstEpoch(period) }
  const signature = await liar.signTypedData(acknowledgementData(2985, contract, acknowledged))
  const before = await client.readContract({
    address: addresses.credit,
    abi: creditAbi,
    functionName: 'balanceOf',
    args: [market.stranger.address],
  })
  // No monitor of this market says where it publishes: what it reported stands in what was submitted.
  const word = {
    ...{ epoch: acknowledged.epoch, orderId, signature },
    ...{ monitor: lowerCaseAddress(liar.address), market: lowerCaseAddress(market_) },
  }
  const words = [word, { ...word, monitor: lowerCaseAddress(accounts[2]?.address as Hex) }, { ...word, orderId: orderId + 2n }]
  const chain = { client, monitors: contract, findings: market.findings, calendar, chainId: 2985 }
  const found = await findContradictions(chain, words)
  expect(found).toMatchObject([{ monitor: word.monitor, period, epoch: word.epoch, orderId }])
  await send(market.stranger, 'proveContradiction', [...(found[0]?.args ?? [])])
  expect(await findContradictions(chain, words)).toEqual([])
  const after = await client.readContract({
    address: addresses.credit,
    abi: creditAbi,
    functionName: 'balanceOf',
    args: [market.stranger.address],
  })
  expect(after - before).toBe(25n * ONE_CREDIT_WEI)
  expect(await client.readContract({ address: contract, abi: monitorsAbi, functionName: 'monitors' })).toHaveLength(3)
})

test('reads the address and pace of the contract', async () => {
  const { client, addresses, contract } = market
  expect(await readMonitors(client, addresses.access)).toEqual({
    address: contract,
    findings: market.findings,
    pace: PRODUCTION_PACE,
  })
})

test('pays a voucher of the rewarder once, and refuses one of any other signer', async () => {
  const { client, addresses, user, owner, stranger } = market
  const amount = ONE_CREDIT_WEI
  await market.call(owner, contractCall(addresses, 'credit', 'mint', [owner.address, 2n * amount]))
  await market.call(owner, contractCall(addresses, 'credit', 'approve', [addresses.market, 2n * amount]))
  await market.call(owner, contractCall(addresses, 'market', 'fundRewards', [2n * amount]))
  const nonce = await readMarket(client, addresses, 'market', 'nonces', [user.address])
  const { timestamp } = await client.getBlock()
  const voucher = { account: user.address, amount, nonce, deadline: timestamp + 3600n }
  const on = { chainId: 2985, market: addresses.market }
  const redeem = (code: Hex) => market.call(user, contractCall(addresses, 'market', 'withdraw', [amount, code]))

  await expect(redeem(await signVoucher(stranger, on, voucher))).rejects.toMatchObject({ code: 'BadSignature' })
  const code = await signVoucher(market.rewarder, on, voucher)
  await redeem(code)
  await expect(redeem(code)).rejects.toMatchObject({ code: 'BadSignature' })
  const plain = encodeAbiParameters(parseAbiParameters('uint256, bytes'), [voucher.deadline, `0x${'11'.repeat(65)}`])
  await expect(redeem(plain)).rejects.toMatchObject({ code: expect.stringMatching(/./) })
})

/** Each monitor commits to its reports and reveals their root. */
async function report(period: number, reports: readonly (readonly DowntimeReport[])[]) {
  const { accounts, at, send, calendar } = market
  const end = calendar.endOf(period)
  const trees = reports.map((some) => reportTree(period, some))
  const salt = `0x${'5a'.repeat(32)}` as const
  const each = (step: (account: (typeof accounts)[number], root: Hex) => Promise<unknown>) =>
    trees.reduce<Promise<unknown>>(
      (before, { root }, index) => before.then(() => step(accounts[index] as (typeof accounts)[number], root)),
      Promise.resolve(),
    )
  await at(end)
  await each((account, root) => send(account, 'commit', [BigInt(period), reportCommitment(account.address, period, root, salt)]))
  await at(end + HOUR)
  await each((account, root) => send(account, 'reveal', [BigInt(period), root, salt]))
  return trees
}

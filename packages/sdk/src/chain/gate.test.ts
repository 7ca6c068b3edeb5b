import { creditAbi, gateAbi, testUsdtAbi } from '@rackfair/contracts'
import { receiptOf } from '@rackfair/contracts/receiptOf'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { startChain } from '@rackfair/testkit'
import { createPublicClient, createWalletClient, decodeFunctionData, erc20Abi, http } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { type GateCall, gateDepositCalls, gateWithdrawCalls, readGate, readUsdt } from './gate.ts'
import { type MarketAddresses, readAddresses } from './readAddresses.ts'
import { getBalances } from './views.ts'

test('exchanges USDT and Credit both ways, even over a stale allowance', async () => {
  const { accounts, deployment, rpcUrl, stop } = await startChain({ blockTime: 0 })
  onTestFinished(stop)
  const client = createPublicClient({ transport: http(rpcUrl), pollingInterval: 10, cacheTime: 0 })
  const wallet = createWalletClient({ transport: http(rpcUrl) })
  const addresses = await readAddresses(client, deployment.access)
  const gate = await readGate(client, addresses)
  expect(gate).toEqual({ address: deployment.gate, usdt: deployment.usdt, scale: 10n ** 12n })

  const { user, owner } = accounts
  const usdt = { address: deployment.usdt, abi: testUsdtAbi, chain: null } as const
  const write = async (hash: `0x${string}`) => expect((await receiptOf(client, hash, 10)).status).toBe('success')
  await write(await wallet.writeContract({ ...usdt, account: owner, functionName: 'mint', args: [user.address, 7_000_000n] }))
  await write(await wallet.writeContract({ ...usdt, account: user, functionName: 'approve', args: [gate.address, 1n] }))
  const before = (await getBalances(client, addresses, user.address)).creditWei

  const held = await readUsdt(client, gate, user.address)
  expect(held).toEqual({ balance: 7_000_000n, allowance: 1n })
  const deposit = gateDepositCalls(gate, user.address, held.balance, held.allowance)
  expect(deposit).toHaveLength(3)
  for (const call of deposit) await write(await wallet.sendTransaction({ ...call, account: user, chain: null }))
  expect((await getBalances(client, addresses, user.address)).creditWei - before).toBe(7n * ONE_CREDIT_WEI)

  const out = gateWithdrawCalls(gate, addresses, user.address, 2n * ONE_CREDIT_WEI + 1n, 0n)
  for (const call of out) await write(await wallet.sendTransaction({ ...call, account: user, chain: null }))
  expect(await readUsdt(client, gate, user.address)).toEqual({ balance: 2_000_000n, allowance: 0n })
  expect((await getBalances(client, addresses, user.address)).creditWei - before).toBe(5n * ONE_CREDIT_WEI)
  expect(gateWithdrawCalls(gate, addresses, user.address, ONE_CREDIT_WEI, ONE_CREDIT_WEI)).toHaveLength(1)
})

const GATE = { address: `0x${'11'.repeat(20)}`, usdt: `0x${'22'.repeat(20)}`, scale: 10n ** 12n } as const
const USER = `0x${'33'.repeat(20)}` as const
const ADDRESSES = { credit: `0x${'44'.repeat(20)}` } as MarketAddresses
/** What the calls do, with their first amount. */
const read = (calls: readonly GateCall[]) =>
  calls.map(({ to, data }) => {
    const { functionName, args } = decodeFunctionData({ abi: [...gateAbi, ...(to === GATE.usdt ? erc20Abi : creditAbi)], data })
    return `${functionName} ${args?.find((arg) => typeof arg === 'bigint')}`
  })

test.each<[allowance: bigint, calls: string[]]>([
  [0n, ['approve 5', 'deposit 5']],
  [1n, ['approve 0', 'approve 5', 'deposit 5']],
  [4n, ['approve 0', 'approve 5', 'deposit 5']],
  [5n, ['deposit 5']],
  [6n, ['deposit 5']],
])('with an allowance of %i, deposits 5 units with: %j', (allowance, calls) =>
  expect(read(gateDepositCalls(GATE, USER, 5n, allowance))).toEqual(calls),
)

const UNIT = GATE.scale
test.each<[wei: bigint, allowance: bigint, calls: string[]]>([
  [3n * UNIT, 0n, [`approve ${3n * UNIT}`, `withdraw ${3n * UNIT}`]],
  [3n * UNIT + 1n, 3n * UNIT - 1n, [`approve ${3n * UNIT}`, `withdraw ${3n * UNIT}`]],
  [4n * UNIT - 1n, 3n * UNIT, [`withdraw ${3n * UNIT}`]],
])('withdraws whole units of USDT from %i wei', (wei, allowance, calls) =>
  expect(read(gateWithdrawCalls(GATE, ADDRESSES, USER, wei, allowance))).toEqual(calls),
)

import { testUsdtAbi } from '@rackfair/contracts'
import { ONE_CREDIT_WEI } from '@rackfair/core'
import { startChain } from '@rackfair/testkit'
import { createPublicClient, createWalletClient, http } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { gateDepositCalls, gateWithdrawCalls, readGate, readUsdt } from './gate.ts'
import { readAddresses } from './readAddresses.ts'
import { getBalances } from './views.ts'

test('USDT becomes Credit and Credit becomes USDT, also when an old allowance is in the way', async () => {
  const { accounts, deployment, rpcUrl, stop } = await startChain({ blockTime: 0 })
  onTestFinished(stop)
  const client = createPublicClient({ transport: http(rpcUrl), pollingInterval: 10, cacheTime: 0 })
  const wallet = createWalletClient({ transport: http(rpcUrl) })
  const addresses = await readAddresses(client, deployment.access)
  const gate = await readGate(client, addresses)
  expect(gate).toEqual({ address: deployment.gate, usdt: deployment.usdt, scale: 10n ** 12n })

  const { user, owner } = accounts
  const usdt = { address: deployment.usdt, abi: testUsdtAbi, chain: null } as const
  const write = async (hash: `0x${string}`) => expect((await client.waitForTransactionReceipt({ hash })).status).toBe('success')
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

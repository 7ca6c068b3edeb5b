import { accessAbi, creditAbi, marketAbi, monitorsAbi } from '@rackfair/contracts'
import { monitorsBytecode } from '@rackfair/contracts/bytecode'
import {
  agreedDown,
  EPOCH_SECONDS,
  EPOCHS_PER_PERIOD,
  epochAt,
  MONTH_SECONDS,
  neededVotes,
  ONE_CREDIT_WEI,
  PERIOD_SECONDS,
  periodOf,
} from '@rackfair/core'
import { startChain } from '@rackfair/testkit'
import { type Account, createPublicClient, createTestClient, createWalletClient, type Hex, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ContractCall, contractCall } from '../chain/contractCall.ts'
import { readAddresses } from '../chain/readAddresses.ts'
import { sendCall } from '../chain/sendCall.ts'
import { getOrder, quoteOrder } from '../chain/views.ts'
import { waitForReceipt } from '../chain/waitForReceipt.ts'
import { acknowledgementData } from './evidence.ts'
import { type DowntimeReport, reportCommitment, reportTree } from './reports.ts'

const HOUR = 3600
let market: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  market = await setup()
})
afterAll(() => market.stop())

test('what two of three monitors saw is taken out of the order, and a lie against one’s own word costs the bond', async () => {
  const { client, addresses, orderId, monitors, at, report, submit } = market
  const { activateTime } = await getOrder(client, addresses, orderId)
  const period = periodOf(epochAt(activateTime)) + 1
  const end = (period + 1) * PERIOD_SECONDS
  const observed = (1n << BigInt(EPOCHS_PER_PERIOD)) - 1n
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
    monitor: monitors.accounts[index]?.address as Hex,
    report: { observed, down },
    proof: trees[index]?.proof(0) as Hex[],
  }))
  await at(end + 2 * HOUR)
  await submit(
    period,
    votes.toSorted((a, b) => (a.monitor.toLowerCase() < b.monitor.toLowerCase() ? -1 : 1)),
  )
  const agreed = agreedDown(downs, neededVotes(3))
  expect(agreed).toBe(0b0110n)

  await at(end + 6 * HOUR)
  await monitors.send(market.stranger, 'credit', [addresses.market, orderId, BigInt(period)])
  expect((await getOrder(client, addresses, orderId)).down).toBe(2 * EPOCH_SECONDS)

  const { address: market_, provider, nodeId } = { address: addresses.market, provider: market.provider.address, nodeId: 1n }
  const liar = monitors.accounts[0] as (typeof monitors.accounts)[number]
  const acknowledged = { market: market_, orderId, provider, nodeId, epoch: period * EPOCHS_PER_PERIOD }
  const signature = await liar.signTypedData(acknowledgementData(2985, monitors.address, acknowledged))
  const before = await client.readContract({
    address: addresses.credit,
    abi: creditAbi,
    functionName: 'balanceOf',
    args: [market.stranger.address],
  })
  await monitors.send(market.stranger, 'proveContradiction', [addresses.market, orderId, BigInt(period), votes[0], 0, signature])
  const after = await client.readContract({
    address: addresses.credit,
    abi: creditAbi,
    functionName: 'balanceOf',
    args: [market.stranger.address],
  })
  expect(after - before).toBe(500n * ONE_CREDIT_WEI)
  expect(await client.readContract({ address: monitors.address, abi: monitorsAbi, functionName: 'monitors' })).toHaveLength(2)
})

async function setup() {
  const chain = await startChain({ blockTime: 0 })
  const { owner, user, provider, otherUser: stranger } = chain.accounts
  const transport = http(chain.rpcUrl)
  const client = createPublicClient({ transport, pollingInterval: 10, cacheTime: 0 })
  const time = createTestClient({ mode: 'anvil', transport })
  const addresses = await readAddresses(client, chain.deployment.access)
  const write = async (hash: Hex) => {
    const receipt = await client.waitForTransactionReceipt({ hash })
    expect(receipt.status).toBe('success')
    return receipt
  }
  const wallet = (account: Account) => createWalletClient({ account, transport })
  const call = async (account: Account, one: ContractCall) => waitForReceipt(client, await sendCall(client, wallet(account), one))
  /** The next block has this time. */
  const at = async (timestamp: number) => {
    await time.setNextBlockTimestamp({ timestamp: BigInt(timestamp) })
    await time.mine({ blocks: 1 })
  }

  const { contractAddress } = await write(
    await wallet(owner).deployContract({
      abi: monitorsAbi,
      bytecode: monitorsBytecode,
      args: [addresses.credit, owner.address],
      chain: null,
    }),
  )
  const address = contractAddress as Hex
  const VALIDATOR = 1
  await write(
    await wallet(owner).writeContract({
      address: addresses.access,
      abi: accessAbi,
      functionName: 'setRole',
      args: [VALIDATOR, address],
      chain: null,
    }),
  )
  const send = async (account: Account, functionName: string, args: unknown[]) =>
    write(await wallet(account).writeContract({ address, abi: monitorsAbi, functionName, args, chain: null } as never))

  const bond = 1000n * ONE_CREDIT_WEI
  const accounts = Array.from({ length: 3 }, () => privateKeyToAccount(generatePrivateKey()))
  for (const account of accounts) {
    await time.setBalance({ address: account.address, value: ONE_CREDIT_WEI })
    await call(owner, contractCall(addresses, 'credit', 'mint', [account.address, bond]))
    await call(account, contractCall(addresses, 'credit', 'approve', [address, bond]))
    await send(account, 'join', [bond])
  }

  for (const one of [user, provider]) await call(owner, contractCall(addresses, 'credit', 'mint', [one.address, bond]))
  await call(
    provider,
    contractCall(addresses, 'registry', 'register', [{ name: 'helios', ip: '203.0.113.7', domain: '', port: 7070 }]),
  )
  const node = { cpuModel: 'Xeon', gpuModel: '', nCPU: 2, core: 20, nGPU: 0, nMEM: 64, nDISK: 500 }
  await call(
    provider,
    contractCall(addresses, 'registry', 'add_node', [{ ...node, pCPU: 43n * ONE_CREDIT_WEI, pGPU: 0n, pMEM: 0n, pDISK: 0n }]),
  )
  await call(provider, contractCall(addresses, 'credit', 'approve', [addresses.pledge, bond]))
  await call(provider, contractCall(addresses, 'pledge', 'pledge', [addresses.credit, bond]))
  const { feeWei, rev } = await quoteOrder(client, addresses, provider.address, 1n, MONTH_SECONDS)
  await call(user, contractCall(addresses, 'credit', 'approve', [addresses.market, feeWei]))
  const input = { provider: provider.address, nodeId: 1n, rev, duration: MONTH_SECONDS, maxFee: feeWei, app: '' }
  await call(user, contractCall(addresses, 'market', 'createOrder', [input]))
  const orderId = await client.readContract({ address: addresses.market, abi: marketAbi, functionName: 'lastId' })
  await call(provider, contractCall(addresses, 'market', 'activate', [orderId]))

  return {
    ...{ client, addresses, orderId, provider, stranger, at },
    monitors: { address, accounts, send },
    submit: (period: number, votes: unknown[]) => send(stranger, 'submit', [addresses.market, orderId, BigInt(period), votes]),
    /** Each monitor commits to its reports and reveals their root. */
    async report(period: number, reports: readonly (readonly DowntimeReport[])[]) {
      const end = (period + 1) * PERIOD_SECONDS
      const trees = reports.map((some) => reportTree(period, some))
      const salt = `0x${'5a'.repeat(32)}` as const
      await at(end)
      for (const [index, { root }] of trees.entries()) {
        const account = accounts[index] as (typeof accounts)[number]
        await send(account, 'commit', [BigInt(period), reportCommitment(account.address, period, root, salt)])
      }
      await at(end + HOUR)
      for (const [index, { root }] of trees.entries())
        await send(accounts[index] as Account, 'reveal', [BigInt(period), root, salt])
      return trees
    },
    stop: chain.stop,
  }
}

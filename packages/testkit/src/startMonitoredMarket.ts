import { findingsAbi, monitorsAbi } from '@rackfair/contracts'
import type { Deployment } from '@rackfair/contracts/deployments'
import { receiptOf } from '@rackfair/contracts/receiptOf'
import { MONTH_SECONDS } from '@rackfair/rules/duration'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { createCalendar, type Pace, PRODUCTION_PACE } from '@rackfair/rules/uptime/epoch'
import {
  addNodeCall,
  type ContractCall,
  contractCall,
  pledgeCall,
  quoteOrder,
  readAddresses,
  readMarket,
  registerCall,
  sendCall,
  setOperatorCall,
  waitForReceipt,
} from '@rackfair/sdk'
import {
  type Account,
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  http,
  type LocalAccount,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { drawMonitors } from './drawMonitors.ts'
import { startChain } from './startChain.ts'

const BOND = 1000n * ONE_CREDIT_WEI
const MACHINE = { cpuModel: 'Xeon', gpuModel: '', nCPU: 2, core: 20, nGPU: 0, nMEM: 64, nDISK: 500 }
const PRICES = { pCPU: 43n * ONE_CREDIT_WEI, pGPU: 0n, pMEM: 0n, pDISK: 0n }

export type MonitoredMarket = Awaited<ReturnType<typeof startMonitoredMarket>>

/** A provider of the market with its running orders, one on each of its nodes, numbered from 1. */
export interface MonitoredProvider {
  account: LocalAccount
  operator: LocalAccount
  orderIds: bigint[]
}

/** The one of the two contracts that has this function. */
function targetOf({ monitors, findings }: Deployment, functionName: string) {
  const isOfFindings = findingsAbi.some((item) => item.type === 'function' && item.name === functionName)
  return isOfFindings ? { address: findings, abi: findingsAbi } : { address: monitors, abi: monitorsAbi }
}

/**
 * A market on a chain of its own that mines immediately: `monitors` accounts that have joined, and for each of `gatewayPorts` a provider at
 * 127.0.0.1 with `orders` running orders of a month. The test controls its time. For the period after the running one they are drawn.
 */
export async function startMonitoredMarket(options: {
  monitors: number
  orders?: number
  gatewayPorts?: readonly number[]
  /** Defaults to that of production. */
  pace?: Pace
}) {
  const { pace = PRODUCTION_PACE } = options
  const chain = await startChain({ blockTime: 0, pace })
  const { owner, user, provider, operator } = chain.accounts
  // No retries: a call that mines or sends must not be repeated because the machine was busy.
  const transport = http(chain.rpcUrl, { timeout: 120_000, retryCount: 0 })
  const client = createPublicClient({ transport, pollingInterval: 10, cacheTime: 0 })
  const time = createTestClient({ mode: 'anvil', transport })
  const addresses = await readAddresses(client, chain.deployment.access)
  const { monitors: contract, findings } = chain.deployment
  const wallet = (account: Account) => createWalletClient({ account, transport })
  const call = async (account: Account, one: ContractCall) => {
    const hash = await sendCall(client, wallet(account), one)
    // The wait of the SDK looks once per block, and may look at this one just before the receipt is there.
    await receiptOf(client, hash, 5)
    return waitForReceipt(client, hash)
  }
  const send = async (account: Account, functionName: string, args: readonly unknown[]) => {
    const request = { ...targetOf(chain.deployment, functionName), functionName, args, chain: null }
    const receipt = await receiptOf(client, await wallet(account).writeContract(request as never), 5)
    if (receipt.status !== 'success') throw new Error(`${functionName} was reverted`)
    return receipt
  }
  const fund = async (address: Address) => {
    await time.setBalance({ address, value: 100n * ONE_CREDIT_WEI })
    await call(owner, contractCall(addresses, 'credit', 'mint', [address, BOND]))
  }
  const join = async (account = privateKeyToAccount(generatePrivateKey())) => {
    await fund(account.address)
    await call(account, contractCall(addresses, 'credit', 'approve', [contract, BOND]))
    await send(account, 'join', [BOND, account.address])
    return account
  }
  const accounts: LocalAccount[] = []
  for (let count = 0; count < options.monitors; count += 1) accounts.push(await join())
  const calendar = createCalendar(pace)
  const at = async (timestamp: number) => {
    await time.setNextBlockTimestamp({ timestamp: BigInt(timestamp) })
    await time.mine({ blocks: 1 })
  }
  const nextPeriod = (moveTo = at) =>
    drawMonitors({ client, calendar, contract, at: moveTo, send: (name, args) => send(accounts[0] as LocalAccount, name, args) })
  if (options.monitors > 0) await nextPeriod()

  const orders = options.orders ?? 1
  const pledge = BOND * BigInt(Math.max(1, orders))
  const open = async (account: LocalAccount, own: LocalAccount, name: string, port: number): Promise<MonitoredProvider> => {
    for (const one of [user, account]) await call(owner, contractCall(addresses, 'credit', 'mint', [one.address, pledge]))
    await call(account, registerCall(addresses, { name, ip: '127.0.0.1', domain: '', port }))
    await call(account, setOperatorCall(addresses, own.address))
    await call(account, contractCall(addresses, 'credit', 'approve', [addresses.pledge, pledge]))
    const orderIds: bigint[] = []
    for (let node = 1; node <= orders; node += 1) {
      await call(account, addNodeCall(addresses, { ...MACHINE, ...PRICES }))
      if (node === 1) await call(account, pledgeCall(addresses, pledge))
      const { feeWei, rev, conditions } = await quoteOrder(client, addresses, account.address, BigInt(node), MONTH_SECONDS)
      await call(user, contractCall(addresses, 'credit', 'approve', [addresses.market, feeWei]))
      const input = {
        provider: account.address,
        nodeId: BigInt(node),
        rev,
        duration: MONTH_SECONDS,
        maxFee: feeWei,
        conditions,
        app: '',
      }
      await call(user, contractCall(addresses, 'market', 'createOrder', [input]))
      const orderId = await readMarket(client, addresses, 'market', 'lastId', [])
      await call(account, contractCall(addresses, 'market', 'activate', [orderId]))
      orderIds.push(orderId)
    }
    return { account, operator: own, orderIds }
  }
  const [firstPort = 7070, ...ports] = options.gatewayPorts ?? []
  const fleet = [await open(provider, operator, 'helios', firstPort)]
  for (const [index, port] of ports.entries()) {
    const [account, own] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())]
    await time.setBalance({ address: account.address, value: 100n * ONE_CREDIT_WEI })
    fleet.push(await open(account, own, `helios${index + 2}`, port))
  }
  const orderIds = fleet[0]?.orderIds ?? []

  return {
    ...{ chain, client, transport, addresses, contract, findings, accounts, fleet, provider, operator },
    ...{ user, owner, orderIds, call },
    rpcUrl: chain.rpcUrl,
    rewarder: chain.accounts.rewarder,
    stranger: chain.accounts.otherUser,
    calendar,
    /** Funds an account with a bond and gas. */
    fund,
    /** Funds an account and registers it as a monitor. */
    join,
    /** Sends a call to `Monitors` or `Findings`. Throws if it reverts. */
    send,
    /** Mines a block with this unix time. */
    at,
    /** The next period for which monitors are drawn, as `drawMonitors`. */
    nextPeriod,
    stop: chain.stop,
  }
}

import { AppError } from '@rackfair/rules/errors/AppError'
import { formatCredit } from '@rackfair/rules/money'
import { dueWei, settlementEdge } from '@rackfair/rules/order/money'
import { OrderStatus } from '@rackfair/rules/order/status'
import { contractCall, readEarnings, readMarket, readMarkets, withdrawCalls } from '@rackfair/sdk'
import { type Address, isAddress, zeroAddress } from 'viem'
import { type ChainView, openChain } from '../chain/read/chainView.ts'
import type { AgentConfig } from '../config/agentConfig.ts'
import type { Output } from './output.ts'
import type { PlannedStep } from './providerPlan.ts'
import { summaryOf } from './register.ts'
import { type SentSteps, sendAsProvider } from './sendSteps.ts'

const PAGE = 200n
/** Orders settled in one transaction. */
const SETTLE_AT_ONCE = 50

/**
 * Settles what is final of the provider's orders, then withdraws all earnings, from the current Market and from earlier ones, to the
 * provider or to another address of its choice.
 */
export async function withdraw(config: AgentConfig, to: string | undefined, output: Output): Promise<SentSteps> {
  if (to !== undefined && (!isAddress(to) || to === zeroAddress)) throw new AppError('bad_request', '--to is not an address')
  const chain = await openChain(config)
  const due = await readDue(chain, config.provider)
  const settled = await sendAsProvider(chain, config.rpcUrl, config.provider, due.flatMap(settleSteps), output)
  const earnings = (await readEarnings(chain.client, chain.addresses, config.provider)).filter((one) => one.earnedWei > 0n)
  const calls = withdrawCalls(chain.addresses, earnings, to as Address | undefined)
  const steps = calls.map((call, index): PlannedStep => {
    const amount = formatCredit(earnings[index]?.earnedWei ?? 0n)
    return { title: `withdraw ${amount} Credit${to ? ` to ${to}` : ''}`, call }
  })
  const paid = await sendAsProvider(chain, config.rpcUrl, config.provider, steps, output)
  const sent = { done: [...settled.done, ...paid.done], open: [...settled.open, ...paid.open] }
  const withdrawnWei = paid.done.length > 0 ? earnings.reduce((sum, one) => sum + one.earnedWei, 0n) : 0n
  output.result({ ...sent, withdrawnWei }, summaryOf(sent))
  return sent
}

/** What a withdrawal would yield: what is booked, and what is final and can be settled, before commission. */
export async function readWithdrawal(config: AgentConfig): Promise<{ bookedWei: bigint; dueWei: bigint }> {
  const chain = await openChain(config)
  const [earnings, due] = await Promise.all([
    readEarnings(chain.client, chain.addresses, config.provider),
    readDue(chain, config.provider),
  ])
  return {
    bookedWei: earnings.reduce((sum, { earnedWei }) => sum + earnedWei, 0n),
    dueWei: due.flatMap(({ orders }) => orders).reduce((sum, one) => sum + one.wei, 0n),
  }
}

/** Orders of one Market with final earnings that are not booked yet. */
interface Due {
  chain: ChainView
  market: Address
  orders: { id: bigint; wei: bigint }[]
}

async function readDue(chain: ChainView, provider: Address): Promise<Due[]> {
  const markets = await readMarkets(chain.client, chain.addresses.access)
  return Promise.all(markets.map(async (market) => ({ chain, market, orders: await dueOrders(chain, provider, market) })))
}

async function dueOrders(chain: ChainView, provider: Address, market: Address): Promise<Due['orders']> {
  const { client, addresses } = chain
  const now = (await chain.head()).timestamp
  const due: Due['orders'] = []
  let cursor = 0n
  do {
    const [ids, next] = await readMarket(client, addresses, 'market', 'getProList', [provider, cursor, PAGE], market)
    for (const id of ids) {
      const order = await chain.order(id)
      if (order && order.pendingUntil !== 0 && now >= order.pendingUntil) due.push({ id, wei: 0n })
      if (!order || (order.status !== OrderStatus.Active && order.status !== OrderStatus.Expired)) continue
      const { rate: ratePerMonthWei, remuneration: remunerationWei, down: downSeconds, holdback: holdbackSeconds } = order
      const terms = { ...order, ratePerMonthWei, remunerationWei, downSeconds, holdbackSeconds }
      const wei = dueWei(terms, settlementEdge(terms, now))
      if (wei > 0n) due.push({ id, wei })
    }
    cursor = next
  } while (cursor !== 0n)
  return due
}

function settleSteps({ chain, market, orders }: Due): PlannedStep[] {
  const steps: PlannedStep[] = []
  for (let at = 0; at < orders.length; at += SETTLE_AT_ONCE) {
    const ids = orders.slice(at, at + SETTLE_AT_ONCE).map(({ id }) => id)
    steps.push({
      title: `settle ${ids.length === 1 ? `order ${ids[0]}` : `${ids.length} orders`}`,
      call: contractCall(chain.addresses, 'market', 'proSettleMany', [ids], market),
    })
  }
  return steps
}

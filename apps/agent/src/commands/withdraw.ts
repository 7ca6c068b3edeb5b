import { AppError, dueWei, formatCredit, OrderStatus, settlementEdge } from '@rackfair/core'
import { contractCall, readMarket } from '@rackfair/sdk'
import { isAddress, zeroAddress } from 'viem'
import { type ChainView, openChain } from '../chain/chainView.ts'
import type { AgentConfig } from '../config/agentConfig.ts'
import type { Output } from './output.ts'
import type { PlannedStep } from './providerPlan.ts'
import { summaryOf } from './register.ts'
import { sendAsProvider } from './sendSteps.ts'

const PAGE = 200n
/** Orders that a Market settles in one transaction. */
const SETTLE_AT_ONCE = 50

/** Books what is final of the provider's orders, then sends all that was earned to the provider or to another address of its choice. */
export async function withdraw(config: AgentConfig, to: string | undefined, output: Output): Promise<void> {
  if (to !== undefined && (!isAddress(to) || to === zeroAddress)) throw new AppError('bad_request', '--to is not an address')
  const chain = await openChain(config)
  const settled = await sendAsProvider(chain, config.rpcUrl, config.provider, await settleSteps(chain, config.provider), output)
  const earned = await readMarket(chain.client, chain.addresses, 'market', 'earned', [config.provider])
  if (settled.open.length > 0 && earned === 0n) return output.result(settled, summaryOf(settled))
  const paid = await sendAsProvider(chain, config.rpcUrl, config.provider, withdrawSteps(chain, earned, to), output)
  const sent = { done: [...settled.done, ...paid.done], open: [...settled.open, ...paid.open] }
  output.result({ ...sent, withdrawnWei: paid.done.length > 0 ? earned : 0n }, summaryOf(sent))
}

function withdrawSteps(chain: ChainView, earned: bigint, to: string | undefined): PlannedStep[] {
  if (earned === 0n) return []
  const call = to
    ? contractCall(chain.addresses, 'market', 'proWithdrawTo', [to as `0x${string}`])
    : contractCall(chain.addresses, 'market', 'proWithdraw', [])
  return [{ title: `withdraw ${formatCredit(earned)} Credit${to ? ` to ${to}` : ''}`, call }]
}

/** Settlements for the orders of which something is final that is not booked yet. */
async function settleSteps(chain: ChainView, provider: `0x${string}`): Promise<PlannedStep[]> {
  const { client, addresses } = chain
  const now = (await chain.head()).timestamp
  const due: bigint[] = []
  let cursor = 0n
  do {
    const [ids, next] = await readMarket(client, addresses, 'market', 'getProList', [provider, cursor, PAGE])
    for (const id of ids) {
      const order = await chain.order(id)
      if (!order || (order.status !== OrderStatus.Active && order.status !== OrderStatus.Expired)) continue
      if (!order.userConfirm && now < order.activateTime + order.probation) continue
      if (dueWei(order, settlementEdge(order, now)) > 0n) due.push(id)
    }
    cursor = next
  } while (cursor !== 0n)
  const steps: PlannedStep[] = []
  for (let at = 0; at < due.length; at += SETTLE_AT_ONCE) {
    const ids = due.slice(at, at + SETTLE_AT_ONCE)
    steps.push({
      title: `settle ${ids.length === 1 ? `order ${ids[0]}` : `${ids.length} orders`}`,
      call: contractCall(addresses, 'market', 'proSettleMany', [ids]),
    })
  }
  return steps
}

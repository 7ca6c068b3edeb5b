import { type OrderReceipt, readOrders, readReceipt } from '@rackfair/protocol/orders'
import { nodeName } from '@rackfair/rules/node/name'
import type { Order } from '@rackfair/rules/order/order'
import { type Standing, standingOf } from '@rackfair/rules/order/status'
import { orderEnd } from '@rackfair/rules/order/time'
import type { Address } from 'viem'
import type { ReadOptions } from '../http/createApi.ts'
import type { Market } from '../market/connectMarket.ts'
import { serverSeconds } from '../serverClock.ts'

/** An order as its buyer sees it. Amounts in wei of Credit, times in unix seconds. */
export interface RentedOrder {
  orderId: bigint
  user: Address
  provider: Address
  nodeId: number
  /** Name of the machine; untrusted text. */
  name: string
  standing: Standing
  /** Undefined until it is activated. */
  endsAt: number | undefined
  /** Name of the application deployed on it, if the chain says that there is one. */
  app: string | undefined
  paidWei: bigint
  ratePerMonthWei: bigint
  cpu: { model: string; count: number; cores: number }
  gpu: { model: string; count: number }
  memoryGb: number
  diskGb: number
}

/**
 * All orders that an account ever bought, newest first.
 *
 * @param read.minBlock of one's own last transaction, so that the answer includes it.
 * @throws AppError `platform_unreachable` (retryable), `answer_malformed`.
 * @example const running = (await listOrders(market, account.address)).filter(({ standing }) => standing === 'active')
 */
export async function listOrders(market: Pick<Market, 'api'>, account: Address, read?: ReadOptions): Promise<RentedOrder[]> {
  const orders = readOrders(await market.api.userOrders(account, read))
  return orders.map((order) => orderOf(order, serverSeconds()))
}

export interface Receipt extends Pick<OrderReceipt, 'lines' | 'totals'> {
  order: RentedOrder
}

/**
 * Every second and every wei of an order.
 * @throws AppError `not_found`, `platform_unreachable` (retryable), `answer_malformed`.
 * @example const { totals } = await receipt(market, 12n)
 */
export async function receipt(market: Pick<Market, 'api'>, orderId: bigint, read?: ReadOptions): Promise<Receipt> {
  const { order, lines, totals } = readReceipt(await market.api.receipt(String(orderId), read))
  return { order: orderOf(order, serverSeconds()), lines, totals }
}

function orderOf(order: Order, now: number): RentedOrder {
  const { nCPU, nGPU, nMEM, nDISK } = order.resources
  return {
    orderId: order.orderId,
    user: order.user,
    provider: order.provider,
    nodeId: order.nodeId,
    name: nodeName(order.providerName, order.nodeId),
    standing: standingOf(order, now),
    endsAt: order.activateTime > 0 ? orderEnd(order) : undefined,
    app: order.deployed && order.appName !== '' ? order.appName : undefined,
    paidWei: order.totalValueWei,
    ratePerMonthWei: order.ratePerMonthWei,
    cpu: { model: order.cpuModel, count: nCPU, cores: order.core },
    gpu: { model: order.gpuModel, count: nGPU },
    memoryGb: nMEM,
    diskGb: nDISK,
  }
}

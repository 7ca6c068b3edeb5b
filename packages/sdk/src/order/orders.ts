import { orderEnd, type Standing, standingOf } from '@rackfair/core'
import type { OrderWire, ReceiptWire } from '@rackfair/core/wire'
import type { Address } from 'viem'
import type { ReadOptions } from '../http/createApi.ts'
import type { Market } from '../market/connectMarket.ts'

/** An order as its buyer sees it. Amounts in wei of Credit, times in unix seconds. */
export interface RentedOrder {
  orderId: bigint
  user: Address
  provider: Address
  nodeId: number
  /** Name of the machine, chosen by a stranger. */
  name: string
  standing: Standing
  /** Undefined until its time runs. */
  endsAt: number | undefined
  /** Name of what is deployed on it, where the chain says that something is. */
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
 * @param read.minBlock of one's own last transaction, so that it is in the answer.
 * @throws AppError `platform_unreachable` (retryable).
 * @example const running = (await listOrders(market, account.address)).filter(({ standing }) => standing === 'active')
 */
export async function listOrders(market: Pick<Market, 'api'>, account: Address, read?: ReadOptions): Promise<RentedOrder[]> {
  const now = Math.floor(Date.now() / 1000)
  return (await market.api.userOrders(account, read)).map((order) => orderOf(order, now))
}

/** One line of a receipt; amounts in wei of Credit. */
export interface ReceiptLine {
  /** Unix seconds. */
  time: number
  event: string
  /** Of service that the line settles; null for lines without service. */
  seconds: number | null
  paidWei: bigint
  earnedWei: bigint
  commissionWei: bigint
  refundedWei: bigint
  compensatedWei: bigint
  transactionHash: string
}

export interface Receipt {
  order: RentedOrder
  lines: ReceiptLine[]
  totals: Omit<ReceiptLine, 'time' | 'event' | 'seconds' | 'transactionHash'> & { escrowWei: bigint }
}

/**
 * Every second and every wei of an order.
 * @throws AppError `not_found`, `platform_unreachable` (retryable).
 * @example const { totals } = await receipt(market, 12n)
 */
export async function receipt(market: Pick<Market, 'api'>, orderId: bigint, read?: ReadOptions): Promise<Receipt> {
  const { order, lines, totals } = await market.api.receipt(String(orderId), read)
  return {
    order: orderOf(order, Math.floor(Date.now() / 1000)),
    lines: lines.map(({ time, event, seconds, transactionHash, ...amounts }) => ({
      ...{ time, event, seconds, transactionHash },
      ...amountsOf(amounts),
    })),
    totals: { ...amountsOf(totals), escrowWei: BigInt(totals.escrow) },
  }
}

type Amounts = Pick<ReceiptWire['totals'], 'paid' | 'earned' | 'commission' | 'refunded' | 'compensated'>

const amountsOf = ({ paid, earned, commission, refunded, compensated }: Amounts) => ({
  paidWei: BigInt(paid),
  earnedWei: BigInt(earned),
  commissionWei: BigInt(commission),
  refundedWei: BigInt(refunded),
  compensatedWei: BigInt(compensated),
})

function orderOf(order: OrderWire, now: number): RentedOrder {
  const { nCPU, nGPU, nMEM, nDISK } = order.r
  return {
    orderId: BigInt(order.id),
    user: order.user as Address,
    provider: order.provider as Address,
    nodeId: order.node_id,
    name: `${order.providerName}-${order.node_id}`,
    standing: standingOf(order, now),
    endsAt: order.activateTime > 0 ? orderEnd(order) : undefined,
    app: order.deployed && order.appName !== '' ? order.appName : undefined,
    paidWei: BigInt(order.totalValue),
    ratePerMonthWei: BigInt(order.rate),
    cpu: { model: order.cpuModel, count: nCPU, cores: order.core },
    gpu: { model: order.gpuModel, count: nGPU },
    memoryGb: nMEM,
    diskGb: nDISK,
  }
}

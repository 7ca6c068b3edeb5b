import { MACHINES } from '@rackfair/protocol/workspaceText'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import { type ChainOrder, isLive } from '../../chain/read/chainView.ts'

/** What is asked of the chain: the latest of it. */
export interface OwnerChain {
  order(orderId: bigint): Promise<ChainOrder | undefined>
  head(): Promise<{ timestamp: number }>
}

/** Who owns an order now; the provider itself owns `MACHINES`. */
export type OwnerOf = (orderId: bigint) => Promise<LowerCaseAddress>

/** @throws AppError `order_not_found`, `order_not_active`, `chain_unreachable`; the platform's word is not asked. */
export function createOwnerOf(provider: LowerCaseAddress, chain: OwnerChain): OwnerOf {
  return async (orderId) => {
    if (orderId === MACHINES) return provider
    const order = await chain.order(orderId)
    if (!order || order.provider !== provider) throw new AppError('order_not_found', `order ${orderId} is not with this provider`)
    const { timestamp } = await chain.head()
    if (!isLive(order, timestamp)) throw new AppError('order_not_active', `order ${orderId} is over`)
    return order.user
  }
}

/** Whether what `OwnerOf` answers says that there is no owner any more. Rejects where the chain does not say. */
export const isOver = (owner: ReturnType<OwnerOf>): Promise<boolean> =>
  owner.then(
    () => false,
    (error: { code?: string }) => {
      if (error.code === 'order_not_active' || error.code === 'order_not_found') return true
      throw error
    },
  )

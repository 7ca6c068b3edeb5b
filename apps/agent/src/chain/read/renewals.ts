import { purseAbi } from '@rackfair/contracts'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { nextRenewal } from '@rackfair/rules/order/renewal'
import { purseAddress, readMarket, readPurseOrder, toAppError } from '@rackfair/sdk'
import type { Address } from 'viem'
import type { ChainOrder, ChainView } from './chainView.ts'

/** Whether the purse of an order has it renewed now. */
export interface Renewals {
  isDue(order: ChainOrder, now: number): Promise<boolean>
}

const DAY_SECONDS = 86_400

/**
 * Which orders their purses keep alive, and have renewed now. Only purses of the market's own factory are asked: the code of any other
 * account could use up all the gas that its renewal is given.
 */
export function createRenewals(chain: Pick<ChainView, 'client' | 'addresses'>, factory: Address | undefined): Renewals {
  /** Of the users of this machine's orders; what an address is never changes once it has bought. */
  const known = new Map<Address, boolean>()
  const isPurse = async (user: ChainOrder['user']): Promise<boolean> => {
    if (factory === undefined) return false
    const before = known.get(user)
    if (before !== undefined) return before
    const owner = await chain.client
      .readContract({ address: user, abi: purseAbi, functionName: 'owner' })
      .catch((error: unknown) => void reachedOnly(error))
    const is = owner !== undefined && lowerCaseAddress(purseAddress(factory, owner)) === user
    known.set(user, is)
    return is
  }
  return {
    async isDue(order, now) {
      const { activateTime, duration, user } = order
      const end = Number(activateTime) + Number(duration)
      if (now < end - DAY_SECONDS || now >= end || !(await isPurse(user))) return false
      const { standing } = await readPurseOrder(chain, user, order.id)
      const renewable = { activateTime: Number(activateTime), duration: Number(duration), ratePerMonthWei: order.rate }
      const next = nextRenewal(renewable, standing)
      if (next === undefined || now < next.opensAt) return false
      return (await readMarket(chain.client, chain.addresses, 'credit', 'balanceOf', [user])) >= next.feeWei
    },
  }
}

/** The account answers to nothing like that; throws if the chain did not answer. */
function reachedOnly(cause: unknown): void {
  const error = toAppError(cause)
  if (error.code === 'rpc_unreachable') throw error
}

import { purseAbi } from '@rackfair/contracts'
import type { Address } from 'viem'
import { readAt } from '../chain/readAt.ts'
import type { Payer } from '../market/connectMarket.ts'
import type { PurseStanding } from '../purse/calls.ts'

/** What a purse knows of one of its orders. */
export interface PurseOrder {
  /** Whose key may act for it, as in `PurseKey.grantId`; undefined where only the owner may. */
  grantId: number | undefined
  /** How it is kept alive; undefined where it is not. */
  standing: PurseStanding | undefined
}

/**
 * Who acts for an order of a purse, and how it is kept alive.
 *
 * @throws AppError `rpc_unreachable`; `unknown` if there is no purse at this address.
 * @example const { standing } = await readPurseOrder(market, purse, 12n)
 */
export async function readPurseOrder({ client }: Pick<Payer, 'client'>, purse: Address, orderId: bigint): Promise<PurseOrder> {
  const at = { address: purse, abi: purseAbi } as const
  const [{ grantId }, { maxRate, maxTip, until, step }] = await Promise.all([
    readAt(client, { ...at, functionName: 'paymentOf', args: [orderId] }),
    readAt(client, { ...at, functionName: 'standingOf', args: [orderId] }),
  ])
  return {
    grantId: grantId === 0 ? undefined : grantId,
    standing: step === 0 ? undefined : { maxMonthWei: maxRate, maxTipWei: maxTip, until, stepHours: step },
  }
}

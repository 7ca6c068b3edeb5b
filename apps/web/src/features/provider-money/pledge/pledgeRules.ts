import { MIN_PLEDGE_WEI } from '@rackfair/rules/limits'
import { parseCredit } from '@rackfair/rules/money'

/** Why a pledge cannot be sent. The screen has one sentence for each. */
export type PledgeBlocker = 'reading' | 'not_an_amount' | 'below_minimum' | 'balance_low' | 'no_gas'
/** Why a pledge cannot be taken back. */
export type UnpledgeBlocker =
  | 'reading'
  | 'nothing_pledged'
  | 'not_an_amount'
  | 'more_than_pledged'
  | 'locked'
  | 'rest_below_minimum'
  | 'nodes_listed'
  | 'no_gas'

export interface PledgeFacts {
  /** The quantity as it was typed, in USD. */
  quantity: string
  pledgedWei: bigint | undefined
  /** What of it stands behind live orders. */
  lockedWei: bigint | undefined
  creditWei: bigint | undefined
  nativeWei: bigint | undefined
  /** Live nodes of the provider. */
  listed: number
}

/** The quantity in wei, or undefined when it is no positive amount. */
export function pledgeQuantityWei(quantity: string): bigint | undefined {
  const wei = parseCredit(quantity)
  return wei === undefined || wei === 0n ? undefined : wei
}

/** Pledge needs entered + current to reach 1 USD and a balance of at least what is entered (product specification, point 5). */
export function pledgeBlocker({ quantity, pledgedWei, creditWei, nativeWei }: PledgeFacts): PledgeBlocker | undefined {
  if (pledgedWei === undefined || creditWei === undefined || nativeWei === undefined) return 'reading'
  const wei = pledgeQuantityWei(quantity)
  if (wei === undefined) return 'not_an_amount'
  if (wei + pledgedWei < MIN_PLEDGE_WEI) return 'below_minimum'
  if (creditWei < wei) return 'balance_low'
  return nativeWei === 0n ? 'no_gas' : undefined
}

/** UnPledge needs a pledge and takes only what is not locked; the Pledge contract then wants the rest to be nothing (while no node is listed) or at least 1 USD. */
export function unpledgeBlocker({
  quantity,
  pledgedWei,
  lockedWei,
  nativeWei,
  listed,
}: PledgeFacts): UnpledgeBlocker | undefined {
  if (pledgedWei === undefined || lockedWei === undefined || nativeWei === undefined) return 'reading'
  if (pledgedWei <= 0n) return 'nothing_pledged'
  const wei = pledgeQuantityWei(quantity)
  if (wei === undefined) return 'not_an_amount'
  if (wei > pledgedWei) return 'more_than_pledged'
  if (wei > pledgedWei - lockedWei) return 'locked'
  const rest = pledgedWei - wei
  if (rest > 0n && rest < MIN_PLEDGE_WEI) return 'rest_below_minimum'
  if (rest === 0n && listed > 0) return 'nodes_listed'
  return nativeWei === 0n ? 'no_gas' : undefined
}

import { purseFactoryAbi } from '@rackfair/contracts'
import type { StandingOrder } from '@rackfair/rules/order/renewal'
import type { Address } from 'viem'
import { type ContractCall, contractCall } from '../chain/contractCall.ts'
import type { MarketAddresses } from '../chain/readAddresses.ts'
import type { SendableCall } from '../chain/sendCall.ts'
import { purseCall } from './purseCall.ts'
import { type KeyLimits, limitsArgument } from './rights.ts'

/** How an order of a purse is kept alive without its owner. */
export type PurseStanding = StandingOrder

/** Makes the purse of an account, by the factory that `purseOf` names. */
export const createPurseCall = (factory: Address, owner: Address): SendableCall => ({
  ...{ address: factory, abi: purseFactoryAbi, functionName: 'create', args: [owner] },
})

/** Moves Credit of the sender into a purse, which need not exist yet. */
export const depositToPurseCall = (addresses: MarketAddresses, purse: Address, wei: bigint): ContractCall =>
  contractCall(addresses, 'credit', 'transfer', [purse, wei])

/** Sends Credit of a purse to its owner, or USDT for it. */
export const withdrawFromPurseCall = (
  { credit }: MarketAddresses,
  purse: Address,
  wei: bigint,
  as: 'credit' | 'usdt' = 'credit',
): SendableCall => (as === 'usdt' ? purseCall(purse, 'withdrawUsdt', [wei]) : purseCall(purse, 'withdraw', [credit, wei]))

/** Lets a key spend from a purse, within limits. */
export const grantKeyCall = (purse: Address, key: Address, limits: KeyLimits): SendableCall =>
  purseCall(purse, 'grant', [key, ...limitsArgument(limits)])

/** Replaces the limits of a key. */
export const changeKeyCall = (purse: Address, key: Address, limits: KeyLimits): SendableCall =>
  purseCall(purse, 'change', [key, ...limitsArgument(limits)])

/** Takes every right of a key. */
export const revokeKeyCall = (purse: Address, key: Address): SendableCall => purseCall(purse, 'revoke', [key])

/** Renews an order that the owner of its purse keeps alive. */
export const renewOrderCall = (purse: Address, orderId: bigint): SendableCall => purseCall(purse, 'renew', [orderId])

/** Keeps an order of a purse alive; `undefined` ends that. */
export function keepOrderCall(purse: Address, orderId: bigint, standing: PurseStanding | undefined): SendableCall {
  const { maxMonthWei = 0n, maxTipWei = 0n, until = 0, stepHours = 0 } = standing ?? {}
  return purseCall(purse, 'keep', [orderId, { maxRate: maxMonthWei, maxTip: maxTipWei, until, step: stepHours }])
}

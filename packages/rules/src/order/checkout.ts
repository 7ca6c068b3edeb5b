import type { LowerCaseAddress } from '../address.ts'
import { isOrderSeconds } from '../duration.ts'
import { type NodeBlocker, type NodeState, nodeBlocker } from '../node/blocker.ts'
import type { MarketNode } from '../node/node.ts'
import { extendAnswer, type OrderBlocker } from './actions.ts'
import { type Order, whoIs } from './order.ts'

/** What is to be paid: a machine, or more time for an order. */
export interface CheckoutOffer {
  machine?: NodeState & Partial<Pick<MarketNode, 'minTerm'>>
  extension?: Pick<Order, 'user' | 'provider' | 'status' | 'createTime' | 'activateTime' | 'duration'> & {
    node: { switchedOn: boolean } | null
  }
  /** Left out while nothing is chosen, as in a list: then only machine and order are judged. */
  terms?: {
    /** How long, in seconds; undefined unless a time was chosen. */
    seconds: number | undefined
    /** Wei of Credit, as the Market quotes it; undefined while it is read. */
    feeWei: bigint | undefined | 'unread'
    /** What the transactions may cost, in wei; 0 while unknown. */
    gasWei: bigint
    /** The settings of an application that is to start are missing or wrong. */
    areSettingsWrong?: boolean
  }
}

/** Who pays. */
export interface CheckoutAccount {
  /** Undefined for a visitor. */
  address: LowerCaseAddress | undefined
  /** Left out where it is not known yet who will pay. */
  wallet?: {
    status: 'loading' | 'connecting' | 'disconnected' | 'unauthenticated' | 'connected'
    /** It is on the chain of the market. */
    supported: boolean
  } & Funds
}

/** What an account has, in wei: undefined while it is read, `unread` where reading failed. */
export interface Funds {
  creditWei: bigint | undefined | 'unread'
  /** The chain's own currency, for gas. */
  nativeWei: bigint | undefined | 'unread'
}

/** The facts of the market that decide about a payment. None has a default, because its owner can change them. */
export interface CheckoutMarket {
  /** Unix seconds. */
  now: number
  /**
   * Seconds of its price that an order locks in the provider's pledge, as the owner of the Market has set it. Undefined while it cannot be
   * read: then that is left to the Market.
   */
  penalty: number | undefined
  /** What keeps this device from reaching it. */
  unreachable?: 'device_offline' | 'failed_market' | undefined
}

export type AccountBlocker =
  | { code: 'wait' | 'not_connected' | 'sign_in' | 'wrong_network' | 'fee_unreadable' | 'balance_unreadable' | 'no_gas' }
  | { code: 'balance_low'; missingWei: bigint }

/** Why something cannot be paid. `order` is what the order itself does not allow. */
export type CheckoutBlocker =
  | NodeBlocker
  | AccountBlocker
  | { code: 'order'; why: OrderBlocker }
  /** `too_short`: the machine is sold for at least `minTerm` seconds. */
  | { code: 'too_short'; minTerm: number }
  | { code: 'device_offline' | 'failed_market' | 'term' | 'settings' }

/**
 * Why an offer cannot be paid now; undefined if it can. What nobody can change comes first, then what a person can repair, in the order in
 * which it can be repaired: the device, the wallet, the choice, the money.
 *
 * @example checkoutBlocker({ machine: node }, { address: undefined }, { now, penalty: node.penalty })
 */
export function checkoutBlocker(
  offer: { machine: NodeState },
  account: Pick<CheckoutAccount, 'address'>,
  market: CheckoutMarket,
): NodeBlocker | undefined
export function checkoutBlocker(
  offer: CheckoutOffer,
  account: CheckoutAccount,
  market: CheckoutMarket,
): CheckoutBlocker | undefined
export function checkoutBlocker(
  offer: CheckoutOffer,
  account: CheckoutAccount,
  market: CheckoutMarket,
): CheckoutBlocker | undefined {
  return (
    (offer.machine && nodeBlocker(offer.machine, account.address, market.now, market.penalty)) ??
    (offer.extension && extensionBlocker(offer.extension, offer.terms?.seconds, account, market.now)) ??
    (offer.terms && termsBlocker(offer.terms, offer.machine?.minTerm ?? 0, account, market))
  )
}

function extensionBlocker(
  order: NonNullable<CheckoutOffer['extension']>,
  seconds: number | undefined,
  account: CheckoutAccount,
  now: number,
): CheckoutBlocker | undefined {
  const chosen = seconds !== undefined && isOrderSeconds(seconds) ? seconds : undefined
  const why = extendAnswer(order, whoIs(order, account.address), chosen, now)
  // Whoever is not connected reads that of the wallet, which has the button for it.
  return why === 'yes' || why.code === 'not_connected' ? undefined : { code: 'order', why }
}

function termsBlocker(
  terms: NonNullable<CheckoutOffer['terms']>,
  minTerm: number,
  { wallet }: CheckoutAccount,
  { unreachable }: CheckoutMarket,
): CheckoutBlocker | undefined {
  if (unreachable) return { code: unreachable }
  const connection = wallet && connectionBlocker(wallet)
  if (connection) return connection
  if (terms.seconds === undefined || !isOrderSeconds(terms.seconds)) return { code: 'term' }
  if (terms.seconds < minTerm) return { code: 'too_short', minTerm }
  if (terms.areSettingsWrong) return { code: 'settings' }
  return wallet && fundsBlocker(terms, wallet)
}

function connectionBlocker({
  status,
  supported,
}: Pick<NonNullable<CheckoutAccount['wallet']>, 'status' | 'supported'>): AccountBlocker | undefined {
  if (status === 'loading' || status === 'connecting') return { code: 'wait' }
  if (status === 'disconnected') return { code: 'not_connected' }
  if (status === 'unauthenticated') return { code: 'sign_in' }
  return supported ? undefined : { code: 'wrong_network' }
}

/** What an account lacks to pay a fee. */
export function fundsBlocker(
  { feeWei, gasWei }: Pick<NonNullable<CheckoutOffer['terms']>, 'feeWei' | 'gasWei'>,
  { creditWei, nativeWei }: Funds,
): AccountBlocker | undefined {
  if (feeWei === 'unread') return { code: 'fee_unreadable' }
  if (creditWei === 'unread' || nativeWei === 'unread') return { code: 'balance_unreadable' }
  if (feeWei === undefined || creditWei === undefined || nativeWei === undefined) return { code: 'wait' }
  if (creditWei < feeWei) return { code: 'balance_low', missingWei: feeWei - creditWei }
  return nativeWei === 0n || nativeWei < gasWei ? { code: 'no_gas' } : undefined
}

import { type CheckoutBlocker, type CheckoutOffer, checkoutBlocker } from '@rackfair/rules/order/checkout'
import { useQuery } from '@tanstack/react-query'
import { useNow } from '../../platform/browser/useNow.ts'
import { useIsOnline } from '../../platform/live/useIsOnline.ts'
import { type MarketState, useAccountState, useBalance } from '../../wallet/index.ts'
import { gasQuery } from './purchaseQueries.ts'

interface Checkout {
  offer: Pick<CheckoutOffer, 'machine' | 'extension'>
  terms: Omit<NonNullable<CheckoutOffer['terms']>, 'gasWei'>
  market: MarketState
  /** Seconds; undefined while it cannot be read. */
  penalty: number | undefined
}

/** Why the connected account cannot pay an offer now. */
export function useCheckoutBlocker({ offer, terms, market, penalty }: Checkout): CheckoutBlocker | undefined {
  const now = useNow(30_000)
  const isOnline = useIsOnline()
  const { status, supported, lowerCase } = useAccountState()
  const { creditWei, nativeWei, isError } = useBalance()
  const gas = useQuery(gasQuery(market.status === 'ready' ? market.market : undefined))
  const funds = isError ? ({ creditWei: 'unread', nativeWei: 'unread' } as const) : { creditWei, nativeWei }
  return checkoutBlocker(
    { ...offer, terms: { ...terms, gasWei: gas.data ?? 0n } },
    { address: lowerCase, wallet: { status, supported, ...funds } },
    { now, penalty, unreachable: isOnline ? (market.status === 'failed' ? 'failed_market' : undefined) : 'device_offline' },
  )
}

import { lowerCaseAddress } from '@rackfair/rules/address'
import type { Order } from '@rackfair/rules/order/order'
import { isLive, standingOf } from '@rackfair/rules/order/status'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Address } from 'viem'
import { ownPurseQuery } from '../../entities/purse/queries.ts'
import { renewalEnd } from '../../entities/purse/renewalEnd.ts'
import { usePurseOrders } from '../../entities/purse/usePurseOrders.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useAccountState, useMarket } from '../../wallet/index.ts'
import { orderMessages } from './messages.ts'

export interface RenewalNoticeProps {
  order: Order
  now: number
  /** Shown instead where nothing renews the order. */
  children?: ReactNode
}

/** Warns the owner of a purse when the renewal of one of its orders runs out soon. */
export function RenewalNotice({ order, now, children }: RenewalNoticeProps) {
  const { address, lowerCase } = useAccountState()
  const mayBeRenewed = address !== undefined && order.user !== lowerCase && isLive(standingOf(order, now))
  return mayBeRenewed ? <OfOther {...{ order, now, children, address }} /> : children
}

/** An account's own orders are no purse's, and cost no reading. */
function OfOther({ address, ...props }: RenewalNoticeProps & { address: Address }) {
  const market = useMarket()
  const { data: purse } = useQuery(ownPurseQuery(market.status === 'ready' ? market.market : undefined, address))
  if (!purse?.view || lowerCaseAddress(purse.address) !== props.order.user) return props.children
  return <OfPurse {...props} purse={purse.address} creditWei={purse.view.creditWei} />
}

function OfPurse({ order, now, children, purse, creditWei }: RenewalNoticeProps & { purse: Address; creditWei: bigint }) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const { known, ratePerMonthWei } = usePurseOrders(purse)
  const end = renewalEnd(order, known?.get(order.id)?.standing, { creditWei, ratePerMonthWei }, now)
  if (end === undefined) return children
  if (!end.isSoon) return null
  return (
    <Notice
      tone="warn"
      title={text.renewalSoon(format.dateTime(end.until))}
      actions={<ButtonLink to="/keys">{text.toPurse}</ButtonLink>}
    >
      {text.renewalText}
    </Notice>
  )
}

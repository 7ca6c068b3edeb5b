import { lowerCaseAddress } from '@rackfair/rules/address'
import type { Order } from '@rackfair/rules/order/order'
import { shortAddress } from '@rackfair/rules/text/shortText'
import { useQuery } from '@tanstack/react-query'
import { ownPurseQuery } from '../../../entities/purse/queries.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { ButtonLink } from '../../../ui/ButtonLink.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { useAccountState, useMarket, useOpenChain, useOpenConnect } from '../../../wallet/index.ts'
import { orderMessages } from '../messages.ts'

/** Says why an order cannot be acted on, and what to do about it; nothing for its buyer. */
export function WhoseOrder({ order }: { order: Order }) {
  const text = useMessages(orderMessages)
  const account = useAccountState()
  const openConnect = useOpenConnect()
  const openChain = useOpenChain()
  if (account.status === 'loading' || account.status === 'connecting') return null
  if (account.status === 'disconnected' || account.status === 'unauthenticated')
    return (
      <Notice
        title={text.notConnected}
        actions={<Button onClick={openConnect}>{account.status === 'disconnected' ? text.connect : text.signIn}</Button>}
      >
        {text.notConnectedText}
      </Notice>
    )
  if (account.lowerCase === order.provider) return <Notice title={text.yourSale}>{text.yourSaleText}</Notice>
  if (account.lowerCase !== order.user) return <OthersOrder order={order} />
  if (!account.supported)
    return (
      <Notice tone="warn" title={text.wrongNetwork} actions={<Button onClick={openChain}>{text.switchNetwork}</Button>}>
        {text.wrongNetworkText}
      </Notice>
    )
  return null
}

/** Its keys act for an order of a purse; its owner watches it, and keeps it alive, with the purse. */
function OthersOrder({ order }: { order: Order }) {
  const text = useMessages(orderMessages)
  const { address } = useAccountState()
  const market = useMarket()
  const { data: purse, isLoading } = useQuery(ownPurseQuery(market.status === 'ready' ? market.market : undefined, address))
  if (isLoading) return null
  if (purse && lowerCaseAddress(purse.address) === order.user)
    return (
      <Notice title={text.purseOrder} actions={<ButtonLink to="/keys">{text.toPurse}</ButtonLink>}>
        {text.purseOrderText}
      </Notice>
    )
  return <Notice title={text.othersOrder}>{text.othersText(shortAddress(order.user))}</Notice>
}

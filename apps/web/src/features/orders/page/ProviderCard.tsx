import { restOfPromiseWei } from '@rackfair/rules/order/money'
import { type Order, orderTerms } from '@rackfair/rules/order/order'
import { isTerminal } from '@rackfair/rules/order/status'
import { useQuery } from '@tanstack/react-query'
import { providerQuery } from '../../../entities/provider/queries.ts'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Card } from '../../../ui/Card.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { orderMessages } from '../messages.ts'

/** Who provides the machine, and what stands behind the promise. */
export function ProviderCard({ order }: { order: Order }) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const provider = useQuery(providerQuery(order.provider))
  const terms = orderTerms(order)
  const lockedWei = restOfPromiseWei(terms)
  const hasPaid = terms.creditedTwiceSeconds > 0
  const length = hasPaid ? format.duration(order.penalty - terms.creditedTwiceSeconds) : format.longDuration(order.penalty)
  return (
    <Card title={order.providerName}>
      {provider.data ? (
        <Facts
          facts={[
            { term: text.pledge, value: <Money wei={provider.data.pledgeWei} /> },
            { term: text.ordersDone, value: format.number(provider.data.ordersCompleted) },
            { term: text.ordersDropped, value: format.number(provider.data.ordersDropped) },
            { term: text.ordersMissed, value: format.number(provider.data.ordersMissed) },
          ]}
        />
      ) : (
        provider.isPending && <Skeleton size="line" />
      )}
      {provider.data && !isTerminal(order.status) && lockedWei > 0n && (
        <p className="mt-3 text-xs text-ink-3">
          {text.pledgeCovers(format.usd(lockedWei, { max: 4 }), length)}
          {hasPaid && ` ${text.pledgeHasPaid}`}
        </p>
      )}
      <p className="mt-3">
        <TextLink to={`/providerdetail?address=${order.provider}`}>{text.providerDetail}</TextLink>
      </p>
    </Card>
  )
}

import { isTerminal, orderMoney } from '@rackfair/core'
import type { OrderWire } from '@rackfair/core/wire'
import { marketOf } from '@rackfair/sdk'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Address } from '../../ui/Address.tsx'
import { Bar } from '../../ui/Bar.tsx'
import { Card } from '../../ui/Card.tsx'
import { ExternalLink } from '../../ui/ExternalLink.tsx'
import { Figure } from '../../ui/Figure.tsx'
import { Money } from '../../ui/Money.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { useMarket } from '../../wallet/index.ts'
import { orderMessages } from './messages.ts'
import { shareOf } from './shareOf.ts'

/** Where the money of an order is, by the second. */
export function MoneyCard({ order, now }: { order: OrderWire; now: number }) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const market = useMarket()
  const money = orderMoney(order, now)
  const closed = isTerminal(order.status)
  const paid = format.usd(money.paidWei)
  const date = format.day(order.createTime)
  const home = useQuery({
    queryKey: ['orders', 'market-of', order.id],
    queryFn:
      market.status === 'ready'
        ? () => marketOf(market.market.client, market.market.addresses.access, BigInt(order.id))
        : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const explorerUrl = market.status === 'ready' ? market.market.explorerUrl : null
  return (
    <Card title={text.money} aside={closed ? text.moneyClosed(paid, date) : text.moneyPaid(paid, date)}>
      <Bar
        label={text.moneyBar(format.usd(money.spentWei), format.usd(money.backWei))}
        parts={[
          { share: shareOf(money.spentWei, money.paidWei), tone: 'run' },
          { share: shareOf(money.downtimeWei, money.paidWei), tone: 'idle' },
        ]}
      />
      <div className="mt-4 grid grid-cols-2 gap-4 lg:grid-cols-3">
        <Figure term={text.earned}>
          <Money wei={money.spentWei} digits={6} />
        </Figure>
        <Figure term={closed ? text.back : text.cancelNow}>
          <Money wei={money.backWei} digits={6} />
        </Figure>
        <Figure term={text.rate}>
          <Money wei={money.ratePerHourWei} digits={4} per={text.perHour} />
        </Figure>
        {money.downtimeWei > 0n && (
          <Figure term={text.downtime} tone="idle">
            <Money wei={money.downtimeWei} />
          </Figure>
        )}
        {money.compensatedWei > 0n && (
          <Figure term={text.compensated} tone="idle">
            <Money wei={money.compensatedWei} />
          </Figure>
        )}
      </div>
      <div className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-2 text-ink-2">
        <TextLink to={`/orderinfo?id=${order.id}&view=receipt`}>{text.receipt}</TextLink>
        <ExternalLink to={`/v1/orders/${order.id}/receipt`}>{text.json}</ExternalLink>
        <ExternalLink to={`/v1/orders/${order.id}/receipt.csv`}>{text.csv}</ExternalLink>
        {home.data &&
          (explorerUrl ? (
            <ExternalLink to={`${explorerUrl.replace(/\/$/, '')}/address/${home.data}`}>{text.contract}</ExternalLink>
          ) : (
            <span className="inline-flex items-center gap-2">
              {text.contract} <Address value={home.data} />
            </span>
          ))}
      </div>
    </Card>
  )
}

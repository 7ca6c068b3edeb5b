import { orderMoney } from '@rackfair/rules/order/money'
import type { Order } from '@rackfair/rules/order/order'
import { isTerminal } from '@rackfair/rules/order/status'
import { marketOf } from '@rackfair/sdk'
import { skipToken, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useNow } from '../../../platform/browser/useNow.ts'
import { Address } from '../../../ui/Address.tsx'
import { ExternalLink } from '../../../ui/ExternalLink.tsx'
import { Figure } from '../../../ui/Figure.tsx'
import { Money } from '../../../ui/Money.tsx'
import { StateShape } from '../../../ui/StateDot.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import type { Tone } from '../../../ui/tone.ts'
import { useMarket } from '../../../wallet/index.ts'
import { orderMessages } from '../messages.ts'
import { TimeHalf } from './TimeHalf.tsx'

/** Where the money and the time of an order are, by the second. What is earned and what comes back add up to what was paid. */
export function MoneyBand({ order, mine }: { order: Order; mine: boolean }) {
  const now = useNow()
  return (
    <div className="order-money">
      <MoneyHalf order={order} now={now} mine={mine} />
      <TimeHalf order={order} now={now} />
    </div>
  )
}

function MoneyHalf({ order, now, mine }: { order: Order; now: number; mine: boolean }) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const money = orderMoney(order, now)
  const closed = isTerminal(order.status)
  const paid = format.usd(money.paidWei)
  const date = format.day(order.createTime)
  const contract = useContractLink(order)
  return (
    <section aria-label={text.money} className="order-figures">
      <h2 className="sr-only">{text.money}</h2>
      <Noted wide note={closed ? text.moneyClosed(paid, date) : text.moneyPaid(paid, date)}>
        <Figure term={<Term tone="run">{text.earnedBy(order.providerName)}</Term>}>
          <Money wei={money.spentWei} digits={6} fixed up ticks />
        </Figure>
      </Noted>
      {money.downtimeWei > 0n && (
        <Figure term={<Term tone="idle">{text.downtime}</Term>}>
          <Money wei={money.downtimeWei} digits={6} fixed />
        </Figure>
      )}
      {money.pendingWei > 0n && (
        <Figure term={text.cancelPending}>
          <Money wei={money.pendingWei} digits={6} fixed />
        </Figure>
      )}
      <Noted note={contract}>
        <Figure term={closed ? (mine ? text.back : text.paidBack) : text.cancelNow}>
          <Money wei={money.backWei} digits={6} fixed ticks />
        </Figure>
      </Noted>
      {money.compensatedWei > 0n && (
        <Figure term={text.compensated}>
          <Money wei={money.compensatedWei} digits={6} fixed />
        </Figure>
      )}
      <Noted note={<TextLink to={`/orderinfo?id=${order.id}&view=receipt`}>{text.receipt}</TextLink>}>
        <Figure term={text.rate}>
          <Money wei={money.ratePerHourWei} digits={4} per={text.perHour} />
        </Figure>
      </Noted>
    </section>
  )
}

/** A figure with a line below it that says what it belongs to; a wide one has no place on a phone. */
function Noted({ note, wide = false, children }: { note: ReactNode; wide?: boolean; children: ReactNode }) {
  return (
    <div className="min-w-0">
      {children}
      {note !== undefined && <div className={`mt-1 text-xs text-ink-3 ${wide ? 'max-md:hidden' : ''}`}>{note}</div>}
    </div>
  )
}

/** A figure's word with the mark of its part of the bar. */
function Term({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <StateShape tone={tone} />
      <span className="max-w-44 truncate" title={children}>
        {children}
      </span>
    </span>
  )
}

/** The contract that holds the money of an order: the Market of the version under which it was bought. */
function useContractLink(order: Order): ReactNode {
  const text = useMessages(orderMessages)
  const market = useMarket()
  const home = useQuery({
    queryKey: ['orders', 'market-of', order.id],
    queryFn:
      market.status === 'ready' ? () => marketOf(market.market.client, market.market.addresses.access, order.orderId) : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const explorerUrl = market.status === 'ready' ? market.market.explorerUrl : null
  if (!home.data) return undefined
  return explorerUrl ? (
    <ExternalLink to={`${explorerUrl.replace(/\/$/, '')}/address/${home.data}`}>{text.contract}</ExternalLink>
  ) : (
    <span className="inline-flex items-center gap-1.5">
      {text.contract} <Address value={home.data} />
    </span>
  )
}

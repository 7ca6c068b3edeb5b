import { ALLOWED_DOWNTIME_PERCENT, allowedDowntime } from '@rackfair/rules/duration'
import { isLost, paidTwiceSeconds } from '@rackfair/rules/order/money'
import { type Order, orderTerms } from '@rackfair/rules/order/order'
import { isTerminal } from '@rackfair/rules/order/status'
import { accruedWei } from '@rackfair/rules/prices/pricing'
import { quoteCancel } from '@rackfair/sdk'
import { skipToken, useQuery } from '@tanstack/react-query'
import { reliabilityQuery } from '../../../entities/reliability/queries.ts'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useNow } from '../../../platform/browser/useNow.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { useMarket } from '../../../wallet/index.ts'
import { orderMessages } from '../messages.ts'

/** What monitors found of an order and what comes back for it, without anybody doing anything. Nothing where it was never down. */
export function DowntimeNotice({ order }: { order: Order }) {
  const text = useMessages(orderMessages).downtimeNotice
  const format = useFormat()
  const { data } = useQuery({ ...reliabilityQuery(order.provider, order.nodeId), enabled: order.activateTime > 0 })
  const found = data?.outages.filter(({ orderId, state }) => orderId === order.orderId && state === 'found') ?? []
  const usd = (seconds: number) => format.usd(accruedWei(order.ratePerMonthWei, seconds), { max: 6 })
  const waiting = found.reduce((sum, { from, until }) => sum + until - from, 0)
  const since = found.at(-1)
  if (waiting === 0 && order.downSeconds === 0) return null
  return (
    <Notice
      tone={waiting > 0 ? 'warn' : 'info'}
      title={
        waiting > 0 && since
          ? text.found(format.duration(waiting), format.dateTime(since.from))
          : text.refunded(format.duration(order.downSeconds), usd(order.downSeconds))
      }
    >
      <p>
        {waiting > 0
          ? text.comesBack(usd(waiting), format.dateTime(Math.max(...found.map(({ finalAt }) => finalAt))))
          : text.nothingToDo}
      </p>
      <PaidOnceMore order={order} />
    </Notice>
  )
}

/** The rule for downtime beyond the allowance, what the pledge has paid for it, and what the contract says that it owes. */
function PaidOnceMore({ order }: { order: Order }) {
  const text = useMessages(orderMessages).downtimeNotice
  const format = useFormat()
  const market = useMarket()
  const live = !isTerminal(order.status)
  const now = useNow(15_000)
  const terms = orderTerms(order)
  const mayOwe = paidTwiceSeconds(terms, 0) > terms.creditedTwiceSeconds
  const { data } = useQuery({
    queryKey: ['orders', 'owed-once-more', order.id, order.reportedUntil],
    queryFn:
      live && !isLost(order, now) && mayOwe && market.status === 'ready'
        ? () => quoteCancel(market.market.client, market.market.addresses, order.orderId, false)
        : skipToken,
  })
  const paidWei = live ? order.compensatedWei : 0n
  const owedWei = data?.compensation ?? 0n
  return (
    <p>
      {[
        text.allowed(
          format.percent(ALLOWED_DOWNTIME_PERCENT / 100, 1),
          format.duration(allowedDowntime(Math.max(0, order.reportedUntil - order.activateTime))),
        ),
        ...(paidWei > 0n ? [text.paidOnceMore(format.usd(paidWei, { max: 6 }))] : []),
        ...(owedWei > 0n ? [text.owedOnceMore(format.usd(owedWei, { max: 6 }))] : []),
      ].join(' ')}
    </p>
  )
}

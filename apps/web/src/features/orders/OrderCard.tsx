import { nodeName } from '@rackfair/rules/node/name'
import { orderMoney } from '@rackfair/rules/order/money'
import type { Order } from '@rackfair/rules/order/order'
import { orderTime } from '@rackfair/rules/order/time'
import { useApplication } from '../../entities/order/useApplication.ts'
import { SampleMark } from '../../entities/sample/SampleMark.tsx'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Dotted } from '../../ui/Dotted.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Figure } from '../../ui/Figure.tsx'
import { Money } from '../../ui/Money.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { orderMessages } from './messages.ts'
import { OrderBars } from './OrderBars.tsx'
import { OrderButtons } from './OrderButtons.tsx'
import type { RenderClean } from './OrderDialogs.tsx'
import { OrderNotices } from './OrderNotices.tsx'
import { OrderStatusBadge } from './OrderStatusBadge.tsx'

/** One order: what it is, what is left of it, and what can be done. */
export function OrderCard({ order, now, renderClean }: { order: Order; now: number; renderClean: RenderClean }) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const time = orderTime(order, now)
  const { name } = useApplication(order, now)
  return (
    <article className="flex min-w-0 flex-col gap-4 rounded-lg border border-line bg-raised p-5" data-order={order.id}>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="text-base break-words">
            <TextLink to={`/orderinfo?id=${order.id}`} strong>
              {nodeName(order.providerName, order.nodeId)}
            </TextLink>
          </h2>
          <p className="text-xs text-ink-3">
            <Dotted
              parts={[
                name === '' ? text.noApp : name,
                <span key="order" className="num">
                  {text.order(order.id)}
                </span>,
              ]}
            />
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-1.5">
          <SampleMark of={order.node} />
          <OrderStatusBadge order={order} now={now} />
        </div>
      </div>
      <div className="flex flex-wrap gap-1.5">
        {order.resources.nCPU > 0 && <Badge>{order.cpuModel}</Badge>}
        {order.resources.nGPU > 0 && <Badge>{order.gpuModel}</Badge>}
      </div>
      <div className="flex flex-wrap justify-between gap-x-4 gap-y-2 whitespace-nowrap">
        <Figure term={text.cpus}>{format.number(order.resources.nCPU)}</Figure>
        <Figure term={text.gpus}>{format.number(order.resources.nGPU)}</Figure>
        <Figure term={text.storage}>{format.storage(order.resources.nDISK)}</Figure>
        <Figure term={text.memory}>{format.gigabytes(order.resources.nMEM)}</Figure>
      </div>
      {time.phase === 'closed' ? <Closed order={order} now={now} at={time.at} /> : <OrderBars order={order} now={now} />}
      {time.phase === 'running' && <Facts facts={[{ term: text.expires, value: format.dateTime(time.end) }]} />}
      <OrderNotices order={order} now={now} />
      <div className="mt-auto border-t border-line pt-4">
        <OrderButtons order={order} now={now} renderClean={renderClean} />
      </div>
    </article>
  )
}

function Closed({ order, now, at }: { order: Order; now: number; at: number }) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const money = orderMoney(order, now)
  return (
    <Facts
      facts={[
        { term: text.ended, value: format.dateTime(at) },
        { term: text.paid, value: <Money wei={money.paidWei} /> },
        { term: text.earned, value: <Money wei={money.spentWei} digits={4} /> },
        { term: text.back, value: <Money wei={money.backWei} digits={4} /> },
        ...(money.compensatedWei > 0n ? [{ term: text.compensated, value: <Money wei={money.compensatedWei} /> }] : []),
      ]}
    />
  )
}

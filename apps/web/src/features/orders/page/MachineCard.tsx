import { MONTH_SECONDS } from '@rackfair/rules/duration'
import type { Order } from '@rackfair/rules/order/order'
import { accruedWei } from '@rackfair/rules/prices/pricing'
import { sampleTexts } from '../../../entities/sample/sampleTexts.ts'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { ButtonLink } from '../../../ui/ButtonLink.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Named } from '../../../ui/Named.tsx'
import { orderMessages } from '../messages.ts'
import { useResources } from '../useResources.ts'
import { likeIt } from './likeIt.ts'

/** What the order holds of the machine, and what each resource costs a month. Compute leads to machines like it. */
export function MachineCard({ order }: { order: Order }) {
  const text = useMessages(orderMessages)
  const sample = useMessages(sampleTexts)
  const format = useFormat()
  const resources = useResources(order, 1)
  return (
    <Card
      title={text.machine}
      aside={
        <ButtonLink to={likeIt(order)} size="sm">
          <Named name={text.computeName}>{text.compute}</Named>
        </ButtonLink>
      }
    >
      <dl className="flex flex-col">
        {resources.map(({ kind, amount, model, unitWei, totalWei }) => (
          <div key={kind} className="flex flex-wrap items-baseline justify-between gap-x-3 border-b border-line py-2">
            <dt className="text-xs text-ink-3">{text[kind]}</dt>
            <dd className="min-w-0 flex-1 text-right break-words">{model}</dd>
            <dd className="flex w-full justify-between gap-3">
              <span className="num text-xs text-ink-3">
                {text.timesPrice(amount, format.usd(unitWei, { max: 9 }), text.units[kind])}
              </span>
              <Money wei={totalWei} />
            </dd>
          </div>
        ))}
        <div className="flex items-baseline justify-between gap-3 pt-2">
          <dt>{text.perMonth}</dt>
          <dd className="font-semibold">
            <Money wei={accruedWei(order.ratePerMonthWei, MONTH_SECONDS)} />
          </dd>
        </div>
        <div className="flex items-baseline justify-between gap-3 pt-1">
          <dt>{text.feeFor(format.duration(order.duration, 1))}</dt>
          <dd className="font-semibold" data-testid="order-fee">
            <Money wei={order.totalValueWei} />
          </dd>
        </div>
      </dl>
      {order.node?.sample && (
        <p className="mt-3 text-xs text-ink-3">
          {sample.short}: {sample.long}
        </p>
      )}
    </Card>
  )
}

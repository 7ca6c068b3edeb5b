import type { Provider } from '@rackfair/rules/provider/provider'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Card } from '../../ui/Card.tsx'
import { Figure } from '../../ui/Figure.tsx'
import { providerDetailMessages } from './messages.ts'

/** How earlier orders went, counted from the chain. */
export function ProviderOrders({ provider }: { provider: Provider }) {
  const text = useMessages(providerDetailMessages)
  const format = useFormat()
  const ended = provider.ordersCompleted + provider.ordersDropped + provider.ordersMissed
  return (
    <Card title={text.orders}>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        <Figure term={text.running}>{format.number(provider.ordersRunning)}</Figure>
        <Figure term={text.completed}>{format.number(provider.ordersCompleted)}</Figure>
        <Figure term={text.dropped} {...(provider.ordersDropped > 0 ? { tone: 'bad' as const } : {})}>
          {format.number(provider.ordersDropped)}
        </Figure>
        <Figure term={text.missed} {...(provider.ordersMissed > 0 ? { tone: 'bad' as const } : {})}>
          {format.number(provider.ordersMissed)}
        </Figure>
      </div>
      <p className="mt-3 text-ink-2">
        {ended === 0 ? text.ordersNone : text.ordersKept(format.percent(provider.ordersCompleted / ended), ended)}
      </p>
    </Card>
  )
}

import type { OrderWire } from '@rackfair/core/wire'
import { useSearchParams } from 'wouter'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Tabs } from '../../../ui/Tabs.tsx'
import { orderMessages } from '../messages.ts'
import { EventCount, EventsTab } from './EventsTab.tsx'
import { ORDER_TABS, type OrderTab, readOrderTab } from './orderTab.ts'

/** What happens in the order. The tab that is open is part of the address. */
export function OrderTabs({ order }: { order: OrderWire }) {
  const text = useMessages(orderMessages)
  const [params, setParams] = useSearchParams()
  const choose = (next: OrderTab) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        after.set('tab', next)
        return after
      },
      { replace: true },
    )
  const content: Record<OrderTab, React.ReactNode> = { events: <EventsTab order={order} /> }
  return (
    <Tabs
      card
      label={text.tabsLabel}
      value={readOrderTab(params.get('tab'))}
      onChange={choose}
      tabs={ORDER_TABS.map((value) => ({
        value,
        content: content[value],
        label: (
          <span className="inline-flex items-center gap-2">
            {text.tabs[value]}
            {value === 'events' && <EventCount order={order} />}
          </span>
        ),
      }))}
    />
  )
}

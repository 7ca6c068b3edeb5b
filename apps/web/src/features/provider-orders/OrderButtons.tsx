import { orderActions } from '@rackfair/rules/order/actions'
import type { Order } from '@rackfair/rules/order/order'
import { contractCall, marketOf } from '@rackfair/sdk'
import { useBlockerText } from '../../entities/order/useBlockerText.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { useTransaction } from '../../wallet/index.ts'
import { soldOrderMessages } from './messages.ts'
import { useSettle } from './useSettle.ts'

/** What can be done with one order; a closed one has no buttons. */
export function OrderButtons({ order, now, onDrop }: { order: Order; now: number; onDrop: () => void }) {
  const text = useMessages(soldOrderMessages)
  const { busy, settle } = useSettle()
  const starting = useTransaction()
  const blockerText = useBlockerText()
  const can = orderActions(order, undefined, 'provider', now)
  const activate = () =>
    starting.send(
      async ({ client, addresses }) => {
        const id = order.orderId
        return contractCall(addresses, 'market', 'activate', [id], await marketOf(client, addresses.access, id))
      },
      { description: text.describeActivate(order.id), success: { title: text.activated(order.id) } },
    )

  if (can.settle !== 'yes' && can.settle.code === 'closed') return null
  return (
    <span className="inline-flex flex-wrap justify-end gap-2">
      {can.activate === 'yes' ? (
        <Button size="sm" pending={starting.busy} onClick={() => void activate()}>
          {text.activate}
        </Button>
      ) : (
        <Button
          size="sm"
          pending={busy}
          disabledReason={can.settle === 'yes' ? undefined : blockerText(can.settle)}
          reasonAs="tooltip"
          aria-label={text.describeSettle(order.id)}
          onClick={() => void settle([order.orderId])}
        >
          {text.settle}
        </Button>
      )}
      {can.drop === 'yes' && (
        <Button size="sm" variant="danger" aria-label={text.describeDrop(order.id)} onClick={onDrop}>
          {text.drop}
        </Button>
      )}
    </span>
  )
}

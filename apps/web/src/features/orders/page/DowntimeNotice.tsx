import { accruedWei } from '@rackfair/core'
import type { OrderWire } from '@rackfair/core/wire'
import { useQuery } from '@tanstack/react-query'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { api } from '../../../lib/api.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { orderMessages } from '../messages.ts'

/** What monitors found of an order and what comes back for it, without anybody doing anything. Nothing where it was never down. */
export function DowntimeNotice({ order }: { order: OrderWire }) {
  const text = useMessages(orderMessages).downtimeNotice
  const format = useFormat()
  const { data } = useQuery({
    queryKey: ['orders', 'downtime', order.id],
    queryFn: ({ signal }) => api.nodeReliability(order.provider, order.node_id, { signal }),
    enabled: order.activateTime > 0,
    meta: { live: [`order:${order.id}`] },
  })
  const found = data?.outages.filter(({ orderId, state }) => orderId === order.id && state === 'found') ?? []
  const usd = (seconds: number) => format.usd(accruedWei(BigInt(order.rate), BigInt(seconds)), { max: 6 })
  const waiting = found.reduce((sum, { from, until }) => sum + until - from, 0)
  const since = found.at(-1)
  if (waiting === 0 && order.down === 0) return null
  return (
    <Notice
      tone={waiting > 0 ? 'warn' : 'info'}
      title={
        waiting > 0 && since
          ? text.found(format.duration(waiting), format.dateTime(since.from))
          : text.refunded(format.duration(order.down), usd(order.down))
      }
    >
      {waiting > 0
        ? text.comesBack(usd(waiting), format.dateTime(Math.max(...found.map(({ finalAt }) => finalAt))))
        : text.nothingToDo}
    </Notice>
  )
}

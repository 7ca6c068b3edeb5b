import { orderMoney } from '@rackfair/rules/order/money'
import type { Order } from '@rackfair/rules/order/order'
import { isTerminal, OrderStatus } from '@rackfair/rules/order/status'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { orderMessages } from '../messages.ts'
import { statusWord } from '../statusWord.ts'

/** Why an order is over, since when, and what came back. */
export function EndNotice({ order, mine }: { order: Order; mine: boolean }) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  if (!isTerminal(order.status)) return null
  const status = order.status as OrderStatus
  const { backWei, compensatedWei } = orderMoney(order, order.closeTime)
  const word = statusWord(status)
  const back = format.usd(backWei, { max: 6 })
  return (
    <Notice
      tone={status === OrderStatus.ProviderCancelled ? 'warn' : 'info'}
      title={text.endedOn(
        word in text.ends ? text.ends[word as keyof typeof text.ends] : text.status[word],
        format.dateTime(order.closeTime),
      )}
    >
      {compensatedWei > 0n
        ? text.endedCompensated(back, format.usd(compensatedWei, { max: 6 }))
        : mine
          ? text.endedBackYou(back)
          : text.endedBack(back)}
    </Notice>
  )
}

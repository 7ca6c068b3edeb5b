import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { ConditionChanges } from './ConditionChanges.tsx'
import { purchaseMessages } from './messages.ts'
import type { QuoteChange } from './quoteChange.ts'

export function QuoteChangeNotice({ changedQuote }: { changedQuote: QuoteChange }) {
  const text = useMessages(purchaseMessages)
  const format = useFormat()
  if (changedQuote.kind === 'yours')
    return (
      <Notice
        tone="info"
        title={text.yoursTitle}
        actions={<ButtonLink to={`/orderinfo?id=${changedQuote.orderId}`}>{text.orderTrail(changedQuote.orderId)}</ButtonLink>}
      >
        {text.yoursText}
      </Notice>
    )
  if (changedQuote.kind === 'sold')
    return (
      <Notice tone="bad" title={text.soldTitle}>
        {text.soldText}
      </Notice>
    )
  if (changedQuote.kind === 'conditions')
    return (
      <Notice tone="warn" title={text.conditionsChangedTitle}>
        <ConditionChanges before={changedQuote.before} after={changedQuote.after} />
      </Notice>
    )
  return (
    <Notice tone="warn" title={text.priceChangedTitle}>
      {changedQuote.kind === 'price'
        ? text.priceChanged(format.usd(changedQuote.beforeWei), format.usd(changedQuote.afterWei))
        : text.revChanged}
    </Notice>
  )
}

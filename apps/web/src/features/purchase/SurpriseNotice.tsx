import type { Conditions } from '@rackfair/sdk'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { ConditionChanges } from './ConditionChanges.tsx'
import { purchaseMessages } from './messages.ts'

/** What happened to the machine between the price that was shown and the press of the button. */
export type Surprise =
  | { kind: 'price'; beforeWei: bigint; afterWei: bigint }
  | { kind: 'machine' }
  | { kind: 'conditions'; before: Conditions; after: Conditions }
  | { kind: 'sold' }
  | { kind: 'yours'; orderId: string }

export function SurpriseNotice({ surprise }: { surprise: Surprise }) {
  const text = useMessages(purchaseMessages)
  const format = useFormat()
  if (surprise.kind === 'yours')
    return (
      <Notice
        tone="info"
        title={text.yoursTitle}
        actions={<ButtonLink to={`/orderinfo?id=${surprise.orderId}`}>{text.orderTrail(surprise.orderId)}</ButtonLink>}
      >
        {text.yoursText}
      </Notice>
    )
  if (surprise.kind === 'sold')
    return (
      <Notice tone="bad" title={text.soldTitle}>
        {text.soldText}
      </Notice>
    )
  if (surprise.kind === 'conditions')
    return (
      <Notice tone="warn" title={text.conditionsChangedTitle}>
        <ConditionChanges before={surprise.before} after={surprise.after} />
      </Notice>
    )
  return (
    <Notice tone="warn" title={text.priceChangedTitle}>
      {surprise.kind === 'price'
        ? text.priceChanged(format.usd(surprise.beforeWei), format.usd(surprise.afterWei))
        : text.revChanged}
    </Notice>
  )
}

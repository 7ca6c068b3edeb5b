import type { CheckoutBlocker } from '@rackfair/rules/order/checkout'
import type { ReactNode } from 'react'
import { useBlockerText } from '../../entities/order/useBlockerText.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { Button } from '../../ui/Button.tsx'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { Card } from '../../ui/Card.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Money } from '../../ui/Money.tsx'
import { useBalance } from '../../wallet/index.ts'
import { BlockerHelp } from './BlockerHelp.tsx'
import { blockerText } from './blockerText.ts'
import { purchaseMessages } from './messages.ts'
import { useHeldFocus } from './useHeldFocus.ts'

export interface FeePanelProps {
  feeWei: bigint | undefined
  feeFailed: boolean
  onRetryFee: () => void
  /** When the order ends, in the rows under the balance. */
  expiry: readonly { term: string; value: string }[]
  rules: ReactNode
  blocker: CheckoutBlocker | undefined
  /** The fee has left the wallet: the balance already shows it. */
  paid: boolean
  /** Set while a payment is under way. */
  busyLabel: string | undefined
  label: string
  onPress: () => void
  onGoBack: () => void
  /** Above the fee. */
  top?: ReactNode
  /** Below the button, while it can be pressed. */
  asks?: ReactNode
  /** Steps and notices of the payment. */
  children?: ReactNode
}

/** The whole price, what is left, the rules, and the one button. */
export function FeePanel(props: FeePanelProps) {
  const text = useMessages(purchaseMessages)
  const format = useFormat()
  const orderText = useBlockerText()
  const balance = useBalance()
  const now = useNow(30_000)
  const { feeWei, blocker } = props
  const heldFocus = useHeldFocus()
  const left = !props.paid && feeWei !== undefined && balance.creditWei !== undefined ? balance.creditWei - feeWei : undefined
  return (
    <Card>
      {props.top}
      <div className="flex flex-wrap items-baseline justify-between gap-3">
        <span>{text.fee}</span>
        <span className="text-2xl" data-testid="fee">
          {feeWei === undefined && !props.feeFailed ? '–' : <Money wei={props.feeFailed ? 0n : (feeWei ?? 0n)} />}
        </span>
      </div>
      {props.feeFailed && <Unread onRetry={props.onRetryFee} />}
      <div className="mt-2">
        <Facts
          facts={[
            {
              term: text.balance,
              value: balance.creditWei === undefined && !balance.isError ? '–' : <Money wei={balance.creditWei ?? 0n} />,
            },
            ...(left === undefined
              ? []
              : [{ term: left < 0n ? text.short : text.leftAfter, value: <Money wei={left < 0n ? -left : left} /> }]),
            ...props.expiry,
          ]}
        />
      </div>
      {balance.isError && <Unread onRetry={balance.refetch} />}
      <div className="mt-4 border-t border-line pt-4 text-ink-2">{props.rules}</div>
      <div className="mt-3 empty:hidden">{props.children}</div>
      <div className="mt-4 flex flex-col gap-2.5" {...heldFocus}>
        <Button
          data-start
          variant="primary"
          size="lg"
          block
          pending={props.busyLabel !== undefined}
          disabledReason={
            props.busyLabel === undefined && blocker ? blockerText(blocker, text.blocked, orderText, format, now) : undefined
          }
          onClick={props.onPress}
        >
          {props.busyLabel ?? props.label}
        </Button>
        {props.busyLabel === undefined && blocker && <BlockerHelp blocker={blocker} />}
        {props.asks}
        <div className="grid grid-cols-2 gap-2.5">
          <Button block onClick={props.onGoBack}>
            {text.goBack}
          </Button>
          <ButtonLink to="/myspace" block>
            {text.goOrderInfo}
          </ButtonLink>
          <p className="col-span-2 text-center text-xs text-ink-3">{text.goOrderInfoText}</p>
        </div>
      </div>
    </Card>
  )
}

function Unread({ onRetry }: { onRetry: () => void }) {
  const text = useMessages(purchaseMessages)
  return (
    <div role="alert" className="flex items-center justify-end gap-3 text-xs text-bad">
      {text.feeUnread}
      <Button size="sm" onClick={onRetry}>
        {text.retry}
      </Button>
    </div>
  )
}

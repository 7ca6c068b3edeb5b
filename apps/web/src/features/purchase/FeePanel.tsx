import type { CheckoutBlocker } from '@rackfair/rules/order/checkout'
import type { ReactNode } from 'react'
import { Cost } from '../../entities/node/term/Cost.tsx'
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
  /** Of the machine, wei per month. */
  rateWei: bigint
  /** For how long, where it is known. */
  seconds: number | undefined
  /** For how long. */
  term: ReactNode
  /** When the order ends, where it is not said beside the term. */
  expiry?: readonly { term: string; value: string }[]
  /** What stands behind the price, folded. */
  more: ReactNode
  blocker: CheckoutBlocker | undefined
  /** The fee has left the wallet: the balance already shows it. */
  paid: boolean
  /** Set while a payment is under way. */
  busyLabel: string | undefined
  label: string
  /** What the button's name begins with, where the label does not say it. */
  name?: string
  onPress: () => void
  /** While no wallet is connected or signed in, the button leads there. */
  connect: { label: string; onPress: () => void }
  onGoBack: () => void
  /** Above the term. */
  top?: ReactNode
  /** Below the button, while it can be pressed. */
  asks?: ReactNode
  /** Steps and notices of the payment. */
  children?: ReactNode
}

/** From top to bottom what is bought, for how long, what it costs, and the one button. */
export function FeePanel(props: FeePanelProps) {
  const text = useMessages(purchaseMessages)
  const format = useFormat()
  const orderText = useBlockerText()
  const balance = useBalance()
  const now = useNow(30_000)
  const { feeWei, name } = props
  const heldFocus = useHeldFocus()
  const left = !props.paid && feeWei !== undefined && balance.creditWei !== undefined ? balance.creditWei - feeWei : undefined
  const isAway = props.blocker?.code === 'not_connected' || props.blocker?.code === 'sign_in'
  const blocker = isAway ? undefined : props.blocker
  const label = props.busyLabel ?? (isAway ? props.connect.label : props.label)
  return (
    <Card>
      {props.top}
      {props.term}
      <div className="mt-4 border-t border-line pt-4">
        <Cost feeWei={feeWei} rateWei={props.rateWei} seconds={props.seconds} aside={text.fee}>
          {props.feeFailed ? <Money wei={0n} /> : undefined}
        </Cost>
      </div>
      {props.feeFailed && <Unread onRetry={props.onRetryFee} />}
      <div className="mt-3 empty:hidden">{props.children}</div>
      <div className="pay-bar" {...heldFocus}>
        <Button
          data-start
          variant="primary"
          size="lg"
          block
          aria-label={name === undefined ? undefined : `${name}: ${label}`}
          pending={props.busyLabel !== undefined}
          disabledReason={
            props.busyLabel === undefined && blocker ? blockerText(blocker, text.blocked, orderText, format, now) : undefined
          }
          onClick={isAway ? props.connect.onPress : props.onPress}
        >
          {label}
        </Button>
        {props.busyLabel === undefined && blocker && <BlockerHelp blocker={blocker} />}
      </div>
      <div className="mt-3 flex flex-col gap-3">
        {!isAway && (
          <Facts
            facts={[
              {
                term: text.balance,
                value: balance.creditWei === undefined && !balance.isError ? '–' : <Money wei={balance.creditWei ?? 0n} />,
              },
              ...(left === undefined
                ? []
                : [{ term: left < 0n ? text.short : text.leftAfter, value: <Money wei={left < 0n ? -left : left} /> }]),
              ...(props.expiry ?? []),
            ]}
          />
        )}
        {balance.isError && <Unread onRetry={balance.refetch} />}
        {props.asks}
        {props.more}
        <div className="grid grid-cols-2 gap-2.5">
          <Button block onClick={props.onGoBack}>
            {text.goBack}
          </Button>
          <ButtonLink to="/myspace" block>
            {text.goOrderInfoName !== '' && <span className="sr-only">{text.goOrderInfoName}: </span>}
            {text.goOrderInfo}
          </ButtonLink>
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

import type { CheckoutBlocker } from '@rackfair/rules/order/checkout'
import type { Resources, UnitPrices } from '@rackfair/rules/prices/pricing'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
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
import { type Market, useBalance } from '../../wallet/index.ts'
import { BlockerHelp } from './BlockerHelp.tsx'
import { blockerText } from './blockerText.ts'
import { Fold } from './Fold.tsx'
import { purchaseMessages } from './messages.ts'
import { PaymentError, type PaymentErrorProps } from './PaymentError.tsx'
import { PaymentStepsList, type PaymentStepsListProps } from './PaymentStepsList.tsx'
import { PriceTable } from './PriceTable.tsx'
import type { useCheckout } from './useCheckout.ts'
import { useHeldFocus } from './useHeldFocus.ts'

export interface CheckoutProps {
  checkout: ReturnType<typeof useCheckout>
  market: Market | undefined
  feeWei: bigint | undefined
  /** How the fee is read. */
  fee: { isError: boolean; refetch: () => unknown }
  /** Of the machine, wei per month, and what it is made of. */
  rateWei: bigint
  resources: Resources
  prices: UnitPrices
  /** For how long, where it is known. */
  seconds: number | undefined
  /** For how long. */
  term: ReactNode
  /** When the order ends, where it is not said beside the term. */
  expiry?: readonly { term: string; value: string }[]
  /** When money comes back; folded, below the price of each part. */
  rules: ReactNode
  blocker: CheckoutBlocker | undefined
  /** Set while a payment is under way. */
  busyLabel: string | undefined
  label: string
  /** What the button's name begins with, where the label does not say it. */
  name?: string
  onPress: () => void
  /** While no wallet is connected or signed in, the button leads there. */
  connect: { label: string; onPress: () => void }
  /** Where Go Back leads without a page before this one. */
  back: string
  /** Above the term. */
  top?: ReactNode
  /** Below the button, while it can be pressed. */
  asks?: ReactNode
  /** What the steps of the payment say. */
  steps: Pick<PaymentStepsListProps, 'feeWei' | 'rev' | 'doneTitle' | 'more'>
  /** What the popup of a failure says. */
  failure: Pick<PaymentErrorProps, 'title' | 'safe'> & { error: Error | undefined }
  /** Once it is paid. */
  success: ReactNode
  /** What is bought. */
  children: ReactNode
}

/** The one way to pay: what is bought at the left; from top to bottom for how long, what it costs, and the one button; and how it ended. */
export function Checkout(props: CheckoutProps) {
  const { checkout, failure } = props
  return (
    <div className="cols-pay">
      <div className="flex min-w-0 flex-col gap-6">{props.children}</div>
      <PayPanel {...props} />
      {failure.error && (
        <PaymentError
          error={failure.error}
          title={failure.title}
          safe={failure.safe}
          sent={checkout.sent}
          onClose={checkout.dismiss}
        />
      )}
      {checkout.receipt && props.success}
    </div>
  )
}

function PayPanel(props: Omit<CheckoutProps, 'failure' | 'success' | 'children'>) {
  const text = useMessages(purchaseMessages)
  const format = useFormat()
  const orderText = useBlockerText()
  const now = useNow(30_000)
  const [, navigate] = useLocation()
  const { checkout, feeWei, seconds, name, resources, prices } = props
  const isPaid = checkout.receipt !== undefined
  const heldFocus = useHeldFocus()
  const why = isPaid ? undefined : props.blocker
  const isAway = why?.code === 'not_connected' || why?.code === 'sign_in'
  const blocker = isAway ? undefined : why
  const label = props.busyLabel ?? (isAway ? props.connect.label : props.label)
  return (
    <Card>
      {props.top}
      {props.term}
      <div className="mt-4 border-t border-line pt-4">
        <Cost feeWei={feeWei} rateWei={props.rateWei} seconds={seconds} aside={text.fee}>
          {props.fee.isError ? <Money wei={0n} /> : undefined}
        </Cost>
      </div>
      {props.fee.isError && <Unread onRetry={() => void props.fee.refetch()} />}
      <div className="mt-3 empty:hidden">
        {checkout.progress && (
          <PaymentStepsList {...props.steps} progress={checkout.progress} explorerUrl={props.market?.explorerUrl ?? null} />
        )}
      </div>
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
        <Balance feeWei={isPaid ? undefined : feeWei} expiry={props.expiry ?? []} isShown={!isAway} />
        {props.asks}
        <Fold title={text.priceAndRefund}>
          {seconds !== undefined && <PriceTable resources={resources} prices={prices} seconds={seconds} feeWei={feeWei} />}
          {props.rules}
        </Fold>
        <div className="grid grid-cols-2 gap-2.5">
          <Button block onClick={() => (window.history.length > 1 ? window.history.back() : navigate(props.back))}>
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

interface BalanceProps {
  /** What the balance pays; undefined once it has. */
  feeWei: bigint | undefined
  /** When the order ends. */
  expiry: readonly { term: string; value: string }[]
  isShown: boolean
}

/** The credit of the wallet, and what the payment leaves of it. */
function Balance({ feeWei, expiry, isShown }: BalanceProps) {
  const text = useMessages(purchaseMessages)
  const { creditWei, isError, refetch } = useBalance()
  const left = feeWei === undefined || creditWei === undefined ? undefined : creditWei - feeWei
  return (
    <>
      {isShown && (
        <Facts
          facts={[
            { term: text.balance, value: creditWei === undefined && !isError ? '–' : <Money wei={creditWei ?? 0n} /> },
            ...(left === undefined
              ? []
              : [{ term: left < 0n ? text.short : text.leftAfter, value: <Money wei={left < 0n ? -left : left} /> }]),
            ...expiry,
          ]}
        />
      )}
      {isError && <Unread onRetry={refetch} />}
    </>
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

import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Hash } from '../../ui/Hash.tsx'
import { type Step, Steps } from '../../ui/Steps.tsx'
import type { PaymentProgress } from '../../wallet/index.ts'
import { purchaseMessages } from './messages.ts'
import { type PaymentStep, paymentSteps } from './paymentSteps.ts'

export interface PaymentStepsListProps {
  progress: PaymentProgress
  feeWei: bigint | undefined
  /** The revision that was confirmed; extensions have none. */
  rev: number | undefined
  doneTitle: string
  /** What comes after the payment. */
  more?: readonly Step[]
  explorerUrl: string | null
}

/** Where the payment is, with its transactions. */
export function PaymentStepsList({ progress, feeWei, rev, doneTitle, more = [], explorerUrl }: PaymentStepsListProps) {
  const text = useMessages(purchaseMessages).steps
  const format = useFormat()
  const fee = feeWei === undefined ? '–' : format.usd(feeWei, { max: 18 })
  const title = (step: PaymentStep) => {
    switch (step.key) {
      case 'quote':
        if (step.state !== 'done') return text.quote
        return rev === undefined ? text.quoteDoneExtend : text.quoteDone(format.number(rev))
      case 'permit':
        return text.permit(fee)
      case 'approve':
        return text.approve(fee)
      case 'send':
        if (step.state === 'done') return text.sent
        return progress.at === 'wallet' ? text.sign : text.waiting
      case 'done':
        return doneTitle
    }
  }
  const aside = (step: PaymentStep) => {
    if (step.hash) return { aside: <Hash value={step.hash} explorerUrl={explorerUrl} /> }
    return step.key === 'permit' ? { aside: text.permitAside } : {}
  }
  const steps = paymentSteps(progress).map(
    (step): Step => ({ key: step.key, title: title(step), state: step.state, ...aside(step) }),
  )
  return <Steps label={text.label} steps={[...steps, ...more]} />
}

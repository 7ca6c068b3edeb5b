import { DAY_SECONDS, HOUR_SECONDS, MONTH_SECONDS } from '@rackfair/rules/duration'
import { formatCredit, parseCredit } from '@rackfair/rules/money'
import type { Order } from '@rackfair/rules/order/order'
import { plainNumber } from '@rackfair/rules/text/plainNumber'
import { keepOrderCall } from '@rackfair/sdk'
import { useState } from 'react'
import type { Address } from 'viem'
import { useTermText } from '../../entities/node/term/useTermText.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { NumberInput } from '../../ui/NumberInput.tsx'
import { useTransaction } from '../../wallet/index.ts'
import { keyMessages } from './messages.ts'

const HOURS_A_MONTH = BigInt(MONTH_SECONDS / HOUR_SECONDS)
const CENT = 10n ** 16n
const MOST = { step: 86_400, days: 3_650 }

/** How an order of a purse is kept alive without its owner: at first for a month, in steps of a day, at its present price. */
export function KeepDialog({ purse, order, onClose }: { purse: Address; order: Order; onClose: () => void }) {
  const text = useMessages(keyMessages)
  const format = useFormat()
  const termText = useTermText()
  const now = useNow(30_000)
  const { busy, send } = useTransaction()
  const hourWei = (order.ratePerMonthWei + HOURS_A_MONTH - 1n) / HOURS_A_MONTH
  const [hour, setHour] = useState(() => formatCredit(((hourWei + CENT - 1n) / CENT) * CENT))
  const [step, setStep] = useState('24')
  const [days, setDays] = useState('30')
  const [tip, setTip] = useState('0.02')
  const priceWei = parseCredit(plainNumber(hour))
  const tipWei = parseCredit(plainNumber(tip))
  const stepHours = wholeOf(step, MOST.step)
  const dayCount = wholeOf(days, MOST.days)
  const standing =
    priceWei !== undefined && priceWei > 0n && tipWei !== undefined && stepHours !== undefined && dayCount !== undefined
      ? { maxMonthWei: priceWei * HOURS_A_MONTH, maxTipWei: tipWei, until: now + dayCount * DAY_SECONDS, stepHours }
      : undefined
  const keep = async () => {
    const options = { description: text.describeKeep(order.id), success: { title: text.isKept } }
    if (standing && (await send(keepOrderCall(purse, order.orderId, standing), options))) onClose()
  }
  const wrong = priceWei === undefined || priceWei === 0n || tipWei === undefined ? text.totalWrong : undefined
  return (
    <FormDialog
      title={text.keepTitle(order.id)}
      cancel={text.cancel}
      submit={text.keep}
      submitting={busy}
      blocked={standing ? undefined : (wrong ?? (stepHours === undefined ? text.hoursWrong : text.daysWrong))}
      onSubmit={() => void keep()}
      onClose={onClose}
    >
      <div className="grid grid-cols-2 gap-3">
        <Field label={text.hour} error={priceWei ? undefined : text.totalWrong}>
          <NumberInput value={hour} onChange={setHour} unit={text.units.usd} maxLength={24} />
        </Field>
        <Field label={text.tip} error={tipWei === undefined ? text.totalWrong : undefined}>
          <NumberInput value={tip} onChange={setTip} unit={text.units.usd} maxLength={24} />
        </Field>
        <Field label={text.step} error={stepHours === undefined ? text.hoursWrong : undefined}>
          <NumberInput decimals={false} value={step} onChange={setStep} unit={text.units.hours} maxLength={6} />
        </Field>
        <Field label={text.days} error={dayCount === undefined ? text.daysWrong : undefined}>
          <NumberInput decimals={false} value={days} onChange={setDays} unit={text.units.days} maxLength={5} />
        </Field>
      </div>
      {standing && (
        <p className="rounded-lg bg-sunk p-4 text-ink-2">
          {text.keepSentence(
            termText(standing.stepHours * HOUR_SECONDS),
            format.usd(priceWei ?? 0n, { max: 4 }),
            format.date(standing.until),
            format.usd(standing.maxTipWei, { max: 4 }),
          )}
        </p>
      )}
    </FormDialog>
  )
}

function wholeOf(text: string, most: number): number | undefined {
  const typed = plainNumber(text)
  return /^\d{1,5}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= most ? Number(typed) : undefined
}

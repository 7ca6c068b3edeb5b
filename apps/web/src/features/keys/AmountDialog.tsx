import { formatCredit, parseCredit } from '@rackfair/rules/money'
import { plainNumber } from '@rackfair/rules/text/plainNumber'
import { useState } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { NumberInput } from '../../ui/NumberInput.tsx'
import { keyMessages } from './messages.ts'

export interface AmountDialogProps {
  title: string
  lead: string
  submit: string
  /** Undefined while it is read. */
  mostWei: bigint | undefined
  busy: boolean
  onSubmit: (wei: bigint) => void
  onClose: () => void
}

/** Asks for an amount of at most so much. */
export function AmountDialog({ title, lead, submit, mostWei, busy, onSubmit, onClose }: AmountDialogProps) {
  const text = useMessages(keyMessages)
  const [typed, setTyped] = useState('')
  const wei = parseCredit(plainNumber(typed)) ?? 0n
  const wrong = wei === 0n ? text.amountWrong : mostWei !== undefined && wei > mostWei ? text.amountTooMuch : undefined
  return (
    <FormDialog
      title={title}
      cancel={text.cancel}
      submit={submit}
      submitting={busy}
      blocked={wrong}
      onSubmit={() => onSubmit(wei)}
      onClose={onClose}
    >
      <p className="text-ink-2">{lead}</p>
      <Field
        label={text.amount}
        error={typed === '' ? undefined : wrong}
        aside={
          mostWei !== undefined &&
          mostWei > 0n && (
            <Button size="sm" variant="quiet" onClick={() => setTyped(formatCredit(mostWei))}>
              {text.all}
            </Button>
          )
        }
      >
        <NumberInput data-start value={typed} onChange={setTyped} unit={text.units.usd} maxLength={32} />
      </Field>
    </FormDialog>
  )
}

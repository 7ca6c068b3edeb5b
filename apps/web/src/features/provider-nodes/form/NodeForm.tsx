import { checkNodeFields, type NodeFields, type NodeInput } from '@rackfair/rules/formRules'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { medianPricesQuery } from '../../../entities/node/queries.ts'
import { providerTexts } from '../../../entities/provider/providerTexts.ts'
import { useJudged } from '../../../entities/provider/useJudged.ts'
import { useProviderMoney } from '../../../entities/provider/useProviderMoney.ts'
import { WriteStatus } from '../../../entities/provider/WriteStatus.tsx'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Checkbox } from '../../../ui/Checkbox.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { type TransactionState, useBalance } from '../../../wallet/index.ts'
import { ownNodeMessages } from '../messages.ts'
import { IncomePreview } from './IncomePreview.tsx'
import { missingParts } from './missingParts.ts'
import { NodeFieldset } from './NodeFieldset.tsx'
import { EMPTY_NODE } from './nodeDraft.ts'

const FIELDS = Object.keys(EMPTY_NODE) as (keyof NodeFields)[]

export interface NodeFormProps {
  fields: NodeFields
  onChange: (fields: NodeFields) => void
  /** Sends the checked node; true once it is on the chain. */
  onSubmit: (input: NodeInput) => Promise<boolean>
  submitLabel: string
  /** Why it cannot be sent, besides wrong fields and missing gas. */
  blocked?: string | undefined
  busy: boolean
  state: TransactionState
  note?: string
  /** Beside the submit button. */
  actions?: ReactNode
}

/** The node form with its income preview, for adding and for editing. */
export function NodeForm({ fields, onChange, onSubmit, submitLabel, blocked, busy, state, note, actions }: NodeFormProps) {
  const shared = useMessages(providerTexts)
  const text = useMessages(ownNodeMessages).form
  const format = useFormat()
  const { data: prices } = useQuery(medianPricesQuery)
  const { money } = useProviderMoney()
  const { nativeWei } = useBalance()
  const { judged, touch, judgeAll, forgive } = useJudged(FIELDS)
  const [incomplete, setIncomplete] = useState(false)
  const [isSent, setSent] = useState(false)
  /** For which missing parts it was confirmed. */
  const [accepted, setAccepted] = useState('')
  const form = useRef<HTMLDivElement>(null)
  const confirmation = useRef<HTMLDivElement>(null)
  const missing = missingParts(fields, isSent)
  const isAccepted = accepted === missing.join()
  const reason = blocked ?? (nativeWei === 0n ? shared.noGas : undefined)

  const submit = async () => {
    judgeAll()
    const checked = checkNodeFields(fields)
    setIncomplete('problems' in checked)
    if ('problems' in checked) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
      return
    }
    setSent(true)
    if (missingParts(fields, true).join() !== accepted) {
      requestAnimationFrame(() => confirmation.current?.querySelector<HTMLElement>('input')?.focus())
      return
    }
    if (!(await onSubmit(checked.input))) return
    forgive()
    setSent(false)
    setAccepted('')
  }

  return (
    <div ref={form} className="cols-aside">
      <Card>
        <NodeFieldset
          fields={fields}
          prices={prices}
          judged={judged}
          onChange={(next) => {
            touch(fields, next)
            if (incomplete) setIncomplete('problems' in checkNodeFields(next))
            onChange(next)
          }}
        />
      </Card>
      <div className="flex flex-col gap-4 lg:sticky lg:top-6">
        <IncomePreview fields={fields} prices={prices} commissionBps={money?.commissionBps} />
        {missing.length > 0 && (
          <Notice tone="warn" title={text.missing(format.list(missing.map((part) => text.parts[part])))}>
            {text.missingText}
            <div ref={confirmation} className="mt-1">
              <Checkbox checked={isAccepted} onChange={(next) => setAccepted(next ? missing.join() : '')}>
                {text.listAnyway}
              </Checkbox>
            </div>
          </Notice>
        )}
        {note !== undefined && <p className="text-xs text-ink-3">{note}</p>}
        <Button variant="primary" size="lg" block pending={busy} disabledReason={reason} onClick={() => void submit()}>
          {submitLabel}
        </Button>
        <p role="alert" className="text-xs text-bad empty:hidden">
          {incomplete ? text.incomplete : ''}
        </p>
        <WriteStatus state={state} />
        {actions}
      </div>
    </div>
  )
}

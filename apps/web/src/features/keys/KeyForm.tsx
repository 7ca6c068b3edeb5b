import type { PurseKey } from '@rackfair/sdk'
import { X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { Address } from 'viem'
import { WriteStatus } from '../../entities/provider/WriteStatus.tsx'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Choice } from '../../ui/Choice.tsx'
import { Field } from '../../ui/Field.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { KeyInWords } from './KeyInWords.tsx'
import { KeyLimitFields } from './KeyLimitFields.tsx'
import { KeyPlacesField } from './KeyPlacesField.tsx'
import { KeyRightsField } from './KeyRightsField.tsx'
import { MAX_NAME } from './keyForm.ts'
import { keyMessages } from './messages.ts'
import { useKeyForm } from './useKeyForm.ts'
import { useKeyNames } from './useKeyNames.ts'

export interface KeyFormProps {
  purse: Address
  /** The key whose limits change; undefined for a new one. */
  changed: PurseKey | undefined
  onClose: () => void
  /** With the private key of a new one. */
  onMade: (name: string, privateKey: string | undefined) => void
}

/** Limits of a key, with what they mean in words and at worst. */
export function KeyForm({ purse, changed, onClose, onMade }: KeyFormProps) {
  const text = useMessages(keyMessages)
  const titleId = useId()
  const { nameOf } = useKeyNames()
  const [opener] = useState(() => document.activeElement)
  const panel = useRef<HTMLDivElement>(null)
  const onWrong = () => panel.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  const { form, now, state, busy, submit } = useKeyForm(purse, changed, { onWrong, onMade })
  const { fields, limits, set } = form
  const close = () => {
    onClose()
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
  }
  return (
    <section
      ref={panel}
      aria-labelledby={titleId}
      className="sticky-panel"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !busy) close()
      }}
    >
      <Card>
        <div className="mb-4 flex items-center justify-between gap-3">
          <h2 id={titleId} className="text-base">
            {changed ? text.changeOf(nameOf(changed.key)) : text.newKey}
          </h2>
          <Button size="sm" variant="quiet" aria-label={text.close} icon={<X aria-hidden className="size-4" />} onClick={close} />
        </div>
        <div className="flex flex-col gap-4">
          {!changed && (
            <Choice
              label={text.starts}
              value={form.start}
              onChange={form.setStart}
              options={(['ci', 'agent', 'look'] as const).map((value) => ({ value, label: text.start[value] }))}
            />
          )}
          <Field label={text.name} hint={text.nameHint} error={form.isWrong('name') ? text.nameWrong : undefined}>
            <TextInput autoFocus value={fields.name} onChange={(typed) => set({ name: typed })} maxLength={MAX_NAME} />
          </Field>
          <KeyRightsField form={form} />
          <KeyLimitFields form={form} />
          <KeyPlacesField form={form} wasLimited={changed?.isAnyProvider === false} />
          {limits && <KeyInWords name={fields.name.trim()} limits={limits} rights={fields.rights} now={now} />}
          <Button variant="primary" size="lg" block pending={busy} onClick={() => void submit()}>
            {changed ? text.save : text.create}
          </Button>
          <p className="text-center text-xs text-ink-3">{changed ? text.onceChange : text.once}</p>
          <WriteStatus state={state} />
        </div>
      </Card>
    </section>
  )
}

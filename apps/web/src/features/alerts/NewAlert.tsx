import { ALERT_EVENTS, type AlertEvent, type AlertRule } from '@rackfair/rules/alerts'
import { type CreatedAlert, readCreatedAlert } from '@rackfair/sdk/http'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale } from '../../i18n/locale.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { api } from '../../platform/api/api.ts'
import { useErrorText } from '../../platform/errors/useErrorText.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Choice } from '../../ui/Choice.tsx'
import { Field } from '../../ui/Field.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { alertMessages } from './messages.ts'

/** The form for a new alert: target and events. Refusals of the platform are shown here, and the input is kept. */
export function NewAlert({ hasMail, onMade }: { hasMail: boolean; onMade: (made: CreatedAlert) => void }) {
  const text = useMessages(alertMessages)
  const errorText = useErrorText()
  const locale = useLocale()
  const [kind, setKind] = useState<AlertRule['kind']>('webhook')
  const [target, setTarget] = useState('')
  const [events, setEvents] = useState<readonly AlertEvent[]>(ALERT_EVENTS)
  const [judged, setJudged] = useState(false)
  const create = useMutation({
    mutationFn: async () => readCreatedAlert(await api.createAlert({ kind, target: target.trim(), events, locale })),
    onSuccess(made) {
      setTarget('')
      setJudged(false)
      onMade(made)
    },
  })
  const isMail = kind === 'mail'
  return (
    <Card title={text.add}>
      <form
        noValidate
        className="flex max-w-form flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          setJudged(true)
          if (target.trim() !== '' && events.length > 0 && !create.isPending) create.mutate()
        }}
      >
        {hasMail ? (
          <Choice
            label={text.where}
            value={kind}
            onChange={setKind}
            options={[
              { value: 'webhook', label: text.webhook },
              { value: 'mail', label: text.mail },
            ]}
          />
        ) : (
          <p className="text-ink-2">{text.noMail}</p>
        )}
        <Field
          label={isMail ? text.email : text.address}
          hint={isMail ? text.emailHint : text.addressHint}
          error={judged && target.trim() === '' ? text.required : undefined}
        >
          <TextInput
            type={isMail ? 'email' : 'url'}
            inputMode={isMail ? 'email' : 'url'}
            maxLength={500}
            mono={!isMail}
            placeholder={isMail ? 'you@example.com' : 'https://example.com/hook'}
            value={target}
            onChange={setTarget}
          />
        </Field>
        <EventChoice events={events} onChange={setEvents} isMissing={judged && events.length === 0} />
        {create.isError && (
          <Notice tone="bad" title={text.failed}>
            {errorText(create.error).details}
          </Notice>
        )}
        <span>
          <Button type="submit" variant="primary" pending={create.isPending}>
            {text.save}
          </Button>
        </span>
      </form>
    </Card>
  )
}

interface EventChoiceProps {
  events: readonly AlertEvent[]
  onChange: (events: readonly AlertEvent[]) => void
  /** Says that at least one has to be chosen. */
  isMissing: boolean
}

function EventChoice({ events, onChange, isMissing }: EventChoiceProps) {
  const text = useMessages(alertMessages)
  return (
    <fieldset>
      <legend className="mb-1 font-medium">{text.when}</legend>
      {ALERT_EVENTS.map((event) => (
        <Checkbox
          key={event}
          checked={events.includes(event)}
          onChange={(on) => onChange(on ? [...events, event] : events.filter((one) => one !== event))}
        >
          {text.events[event]}
        </Checkbox>
      ))}
      <p aria-live="polite" className="text-xs text-bad empty:hidden">
        {isMissing ? text.choose : ''}
      </p>
    </fieldset>
  )
}

import type { EdgePlace as Place } from '@rackfair/sdk/http'
import { useMutation } from '@tanstack/react-query'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useErrorText } from '../../../platform/errors/useErrorText.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { TextInput } from '../../../ui/TextInput.tsx'
import { registrationMessages } from '../messages.ts'

/** For a machine without an open port: asks an edge for address, port and name, and hands these to the form. */
export function EdgePlace({
  edge,
  onAsk,
  onEdge,
  onPlace,
}: {
  edge: string
  onAsk: (edge: string) => Promise<Place>
  onEdge: (edge: string) => void
  onPlace: (place: Place) => void
}) {
  const text = useMessages(registrationMessages).edge
  const errorText = useErrorText()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => onAsk(edge.trim()),
    onSuccess: onPlace,
  })
  return (
    <div className="flex flex-col gap-3">
      <Field label={text.label} hint={text.hint}>
        <TextInput name="edge" value={edge} onChange={onEdge} mono placeholder="edge.example#…" />
      </Field>
      <div>
        <Button pending={isPending} disabledReason={edge.trim() === '' ? text.missing : undefined} onClick={() => mutate()}>
          {text.ask}
        </Button>
      </div>
      <div role="status" className="empty:hidden">
        {data && !isPending && !error && <Notice tone="good">{text.given(data.ip, String(data.port), data.domain)}</Notice>}
      </div>
      {error && !isPending && (
        <Notice tone="warn" title={text.failed}>
          {errorText(error).full}
        </Notice>
      )}
    </div>
  )
}

import { useState } from 'react'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useErrorText } from '../../../platform/errors/useErrorText.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { TextArea } from '../../../ui/TextArea.tsx'
import { sshMessages } from './messages.ts'

/** Takes one public key. What is wrong with it the agent says, in place. */
export function AddKey({ onAdd }: { onAdd: (key: string) => Promise<void> }) {
  const text = useMessages(sshMessages)
  const errorText = useErrorText()
  const [value, setValue] = useState<string>()
  const [adding, setAdding] = useState(false)
  const [error, setError] = useState<unknown>()
  if (value === undefined)
    return (
      <div>
        <Button size="sm" onClick={() => setValue('')}>
          {text.add}
        </Button>
      </div>
    )
  const close = () => {
    setValue(undefined)
    setError(undefined)
  }
  const add = async () => {
    setAdding(true)
    setError(undefined)
    try {
      await onAdd(value)
      close()
    } catch (failure) {
      setError(failure)
    } finally {
      setAdding(false)
    }
  }
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (value.trim() !== '' && !adding) void add()
      }}
    >
      <Field label={text.label} hint={text.hint} error={error === undefined ? undefined : errorText(error).full}>
        <TextArea mono rows={4} autoFocus value={value} onChange={setValue} placeholder="ssh-ed25519 AAAA… name@computer" />
      </Field>
      <div className="flex gap-2">
        <Button size="sm" variant="primary" type="submit" pending={adding}>
          {text.save}
        </Button>
        <Button size="sm" variant="quiet" onClick={close}>
          {text.cancel}
        </Button>
      </div>
    </form>
  )
}

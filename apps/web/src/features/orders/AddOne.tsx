import { type ReactNode, useState } from 'react'
import { useErrorText } from '../../platform/errors/useErrorText.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'

interface AddOneProps {
  text: { add: string; label: string; hint: string; save: string; cancel: string }
  onAdd: (value: string) => Promise<void>
  /** The field to type in. */
  children: (field: { autoFocus: true; value: string; onChange: (value: string) => void }) => ReactNode
}

/** Takes one thing that an agent keeps for an order, behind a button. What is wrong with it the agent says, in place. */
export function AddOne({ text, onAdd, children }: AddOneProps) {
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
        {children({ autoFocus: true, value, onChange: setValue })}
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

import { useId } from 'react'

export interface ChoiceProps<Value extends string> {
  value: Value
  onChange: (value: Value) => void
  options: readonly { value: Value; label: string }[]
  label: string
}

/** Two to five choices side by side, for example a time range. */
export function Choice<Value extends string>({ value, onChange, options, label }: ChoiceProps<Value>) {
  const name = useId()
  return (
    <fieldset className="inline-flex h-fit w-fit max-w-full flex-wrap rounded-md border border-line-2 bg-raised p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={`relative cursor-pointer whitespace-nowrap rounded-sm px-2.5 py-1 text-xs font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent ${option.value === value ? 'bg-ink text-paper' : 'text-ink-2 hover:text-ink'}`}
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}

import { ChevronDown } from 'lucide-react'
import { type ChangeEvent, type KeyboardEvent, useId, useState } from 'react'
import { INPUT_CLASS, useFieldIds } from './fieldContext.ts'

export interface ComboboxOption {
  value: string
  /** Stands at the right, for example a price. */
  note?: string
}

export interface ComboboxProps {
  value: string
  /** Called for typed text and for chosen options; `chosen` is set when it was taken from the list. */
  onChange: (value: string, chosen?: ComboboxOption) => void
  options: readonly ComboboxOption[]
  placeholder?: string
  maxLength?: number
}

/** A text input with suggestions: one of the list or anything else. */
export function Combobox({ value, onChange, options, placeholder, maxLength }: ComboboxProps) {
  const field = useFieldIds()
  const listId = useId()
  const { shown, isShown, active, choose, input } = useSuggestions({ value, onChange, options })

  return (
    <span className="relative flex items-center">
      <input
        id={field.id}
        role="combobox"
        aria-expanded={isShown}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 ? `${listId}-${active}` : undefined}
        aria-describedby={field.describedBy}
        aria-invalid={field.invalid || undefined}
        autoComplete="off"
        spellCheck={false}
        value={value}
        placeholder={placeholder}
        maxLength={maxLength}
        className={`${INPUT_CLASS} pr-8`}
        {...input}
      />
      <ChevronDown aria-hidden className="pointer-events-none absolute right-2.5 size-4 text-ink-3" />
      <div
        id={listId}
        role="listbox"
        tabIndex={-1}
        hidden={!isShown}
        className="absolute top-full left-0 z-20 mt-1 max-h-64 w-full overflow-y-auto rounded-md border border-line-2 bg-raised p-1 shadow-pop"
      >
        {shown.map((option, index) => (
          <Suggestion
            key={option.value}
            id={`${listId}-${index}`}
            option={option}
            isSelected={option.value === value}
            isActive={index === active}
            onChoose={choose}
          />
        ))}
      </div>
    </span>
  )
}

/** Which options are shown, which of them the arrow keys have reached, and what the text input does with its events. */
function useSuggestions({ value, onChange, options }: Pick<ComboboxProps, 'value' | 'onChange' | 'options'>) {
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState(false)
  const [active, setActive] = useState(-1)
  const wanted = value.trim().toLowerCase()
  const shown = typed && wanted !== '' ? options.filter((option) => option.value.toLowerCase().includes(wanted)) : options
  const isShown = open && shown.length > 0

  const choose = (option: ComboboxOption) => {
    onChange(option.value, option)
    setOpen(false)
    setActive(-1)
    setTyped(false)
  }
  const move = (by: number) => {
    setOpen(true)
    if (shown.length > 0) setActive((at) => (at < 0 && by < 0 ? shown.length - 1 : (at + by + shown.length) % shown.length))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // The input method's own keys, which choose among its candidates.
    if (event.nativeEvent.isComposing) return
    const option = shown[active] ?? (shown.length === 1 ? shown[0] : undefined)
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter' && isShown) {
      if (option) choose(option)
    } else if (event.key === 'Escape' && open) setOpen(false)
    else return
    event.preventDefault()
  }
  const input = {
    onFocus: () => setTyped(false),
    onClick: () => setOpen(true),
    onBlur: () => setOpen(false),
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      setTyped(true)
      setActive(-1)
      setOpen(true)
      onChange(event.target.value)
    },
    onKeyDown,
  }
  return { shown, isShown, active, choose, input }
}

interface SuggestionProps {
  id: string
  option: ComboboxOption
  isSelected: boolean
  isActive: boolean
  onChoose: (option: ComboboxOption) => void
}

function Suggestion({ id, option, isSelected, isActive, onChoose }: SuggestionProps) {
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      // The press must not take the focus away, or the list closes before the click arrives.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(option)}
      onKeyDown={() => undefined}
      className={`flex cursor-pointer items-baseline justify-between gap-3 rounded-sm px-2 py-1.5 hover:bg-sunk ${isActive ? 'bg-accent-soft' : ''}`}
    >
      <span>{option.value}</span>
      {option.note !== undefined && <span className="num text-xs text-ink-3">{option.note}</span>}
    </div>
  )
}

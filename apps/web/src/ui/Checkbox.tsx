import type { ReactNode } from 'react'

export interface CheckboxProps {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
  /** Stands at the right end, for example how many there are. */
  aside?: ReactNode
  disabled?: boolean
}

export function Checkbox({ checked, onChange, children, aside, disabled = false }: CheckboxProps) {
  return (
    <label className={`flex cursor-pointer items-center gap-2 py-1 ${checked ? 'font-medium text-ink' : 'text-ink-2'}`}>
      <input
        type="checkbox"
        className="check"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="min-w-0 flex-1">{children}</span>
      {aside !== undefined && <span className="num">{aside}</span>}
    </label>
  )
}

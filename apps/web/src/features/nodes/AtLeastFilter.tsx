import { useMessages } from '../../i18n/useMessages.ts'
import { Select } from '../../ui/Select.tsx'
import { FilterGroup } from './FilterGroup.tsx'
import { nodeMessages } from './messages.ts'

export interface AtLeastFilterProps {
  title: string
  /** 0: any. A value of a shared link that is not in the list is offered too. */
  value: number
  values: readonly number[]
  write: (value: number) => string
  onChange: (value: number) => void
}

export function AtLeastFilter({ title, value, values, write, onChange }: AtLeastFilterProps) {
  const text = useMessages(nodeMessages).filters
  const all = value > 0 && !values.includes(value) ? [...values, value].sort((a, b) => a - b) : values
  return (
    <FilterGroup title={title} hideTitle>
      <div className="flex items-center justify-between gap-3">
        <span aria-hidden className="min-w-0 text-ink-2">
          {title}
        </span>
        <span className="w-28 shrink-0">
          <Select
            label={title}
            mono
            value={String(value)}
            onChange={(chosen) => onChange(Number(chosen))}
            options={[{ value: '0', label: text.any }, ...all.map((step) => ({ value: String(step), label: write(step) }))]}
          />
        </span>
      </div>
    </FilterGroup>
  )
}

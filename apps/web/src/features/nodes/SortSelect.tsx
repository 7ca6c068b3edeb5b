import type { NodeSort } from '@rackfair/rules/node/sort'
import { useMessages } from '../../i18n/useMessages.ts'
import { Select } from '../../ui/Select.tsx'
import { nodeMessages } from './messages.ts'

/** The order of the cards, which have no column titles. */
export function SortSelect({ value, onChange }: { value: NodeSort; onChange: (sort: NodeSort) => void }) {
  const text = useMessages(nodeMessages)
  const sorts = Object.entries(text.sorts) as [NodeSort, string][]
  return (
    <Select
      label={text.sortBy}
      value={value}
      onChange={onChange}
      options={sorts.map(([sort, label]) => ({ value: sort, label }))}
    />
  )
}

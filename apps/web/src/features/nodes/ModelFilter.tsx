import { useState } from 'react'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { FilterGroup } from './FilterGroup.tsx'
import { nodeMessages } from './messages.ts'
import { type Facet, shownModels } from './shownModels.ts'

export interface ModelFilterProps {
  title: string
  facets: readonly Facet[]
  chosen: readonly string[]
  /** How many are shown before the list is expanded. */
  few: number
  onToggle: (model: string) => void
  /** How a model is shown; as it is called, by default. */
  nameOf?: (model: string) => string
}

/** The models on offer with their counts; the most frequent first, the rest one click away. */
export function ModelFilter({ title, facets, chosen, few, onToggle, nameOf = (model) => model }: ModelFilterProps) {
  const text = useMessages(nodeMessages).filters
  const format = useFormat()
  const [all, setAll] = useState(false)
  const { shown, hidden } = shownModels(facets, chosen, all, few)
  return (
    <FilterGroup title={title}>
      {shown.length === 0 && <p className="text-ink-3">{text.noneOfIt}</p>}
      {shown.map((facet) => (
        <Checkbox
          key={facet.value}
          checked={chosen.includes(facet.value)}
          onChange={() => onToggle(facet.value)}
          aside={format.number(facet.count)}
        >
          <span className="block truncate" title={nameOf(facet.value)}>
            {nameOf(facet.value)}
          </span>
        </Checkbox>
      ))}
      {(hidden > 0 || all) && (
        <button
          type="button"
          aria-expanded={all}
          onClick={() => setAll(!all)}
          className="self-start py-1 text-ink-2 underline decoration-line-2 underline-offset-4 hover:text-ink"
        >
          {all ? text.fewer : text.more(hidden)}
        </button>
      )}
    </FilterGroup>
  )
}

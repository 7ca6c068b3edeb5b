import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { nodeMessages } from './messages.ts'
import type { NodeFilter } from './nodeFilter.ts'
import { type QuickChip, quickChips } from './quickChips.ts'
import type { NodeSearch } from './useNodeSearch.ts'

export interface QuickChipsProps {
  filter: NodeFilter
  search: NodeSearch
  onChange: (filter: NodeFilter) => void
}

/** What many look for, one press each. */
export function QuickChips({ filter, search, onChange }: QuickChipsProps) {
  const text = useMessages(nodeMessages).filters
  const format = useFormat()
  const now = useNow(60_000)
  const chips = quickChips(filter, search, now)
  // Their place is kept while the machines are read, so that these do not move down when they arrive.
  if (search.summary === undefined && filter.text === '') return <div aria-hidden className="h-8 max-sm:basis-full" />
  if (chips.length === 0) return null
  const wordsOf = (chip: QuickChip) => (chip.kind === 'gpu' ? chip.model : text.quick[chip.kind])
  return (
    <ul aria-label={text.quick.title} className="row-scroll no-print min-w-0 gap-2 max-sm:basis-full">
      {chips.map((chip) => (
        <li key={wordsOf(chip)} className="shrink-0">
          <button
            type="button"
            onClick={() => onChange(chip.filter)}
            className="inline-flex h-8 items-center gap-2 rounded-full border border-line-2 bg-raised px-3 text-sm font-medium whitespace-nowrap hover:border-edge"
          >
            {wordsOf(chip)}
            {chip.count !== undefined && <span className="num text-xs text-ink-3">{format.number(chip.count)}</span>}
          </button>
        </li>
      ))}
    </ul>
  )
}

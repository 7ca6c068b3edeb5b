import { useMessages } from '../../i18n/useMessages.ts'
import { Chip } from '../../ui/Chip.tsx'
import { filterChips, withoutFilters } from './filterChips.ts'
import { nodeMessages } from './messages.ts'
import type { NodeFilter } from './nodeFilter.ts'
import { useChipText } from './useChipText.ts'

/** What narrows the list, each to be taken back, and all at once. */
export function FilterChips({ filter, onChange }: { filter: NodeFilter; onChange: (filter: NodeFilter) => void }) {
  const text = useMessages(nodeMessages).filters
  const write = useChipText()
  const chips = filterChips(filter)
  if (chips.length === 0) return null
  return (
    <>
      {chips.map((chip) => (
        <Chip key={chip.key} removeLabel={text.remove(write(chip))} onRemove={() => onChange(chip.without)}>
          {write(chip)}
        </Chip>
      ))}
      <button
        type="button"
        onClick={() => onChange(withoutFilters(filter))}
        className="ml-auto py-1 text-xs text-ink-3 underline decoration-line-2 underline-offset-4 hover:text-ink"
      >
        {text.clear}
      </button>
    </>
  )
}

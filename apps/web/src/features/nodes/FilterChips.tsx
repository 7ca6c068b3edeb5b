import { useMessages } from '../../i18n/useMessages.ts'
import { Chip } from '../../ui/Chip.tsx'
import { type FilterChip, filterChips, withoutFilters } from './filterChips.ts'
import { nodeMessages } from './messages.ts'
import type { NodeFilter } from './nodeFilter.ts'
import { useChipText } from './useChipText.ts'
import { withoutWords } from './withoutWords.ts'

interface FilterChipsProps {
  filter: NodeFilter
  /** Words of the text that make no difference; their chips are dashed. */
  ignored: readonly string[]
  onChange: (filter: NodeFilter) => void
}

/** What narrows the list, each to be taken back, and all at once. */
export function FilterChips({ filter, ignored, onChange }: FilterChipsProps) {
  const text = useMessages(nodeMessages).filters
  const write = useChipText()
  const known = { ...filter, text: withoutWords(filter.text, ignored) }
  const chips = filterChips(filter).filter(({ kind }) => kind !== 'text' || known.text !== '')
  const shown = (chip: FilterChip) => write(chip.kind === 'text' ? { ...chip, value: known.text } : chip)
  if (chips.length === 0 && ignored.length === 0) return null
  return (
    <>
      {chips.map((chip) => (
        <Chip
          key={chip.key}
          removeLabel={text.remove(shown(chip))}
          onRemove={() => onChange(chip.kind === 'text' ? { ...filter, text: ignored.join(' ') } : chip.without)}
        >
          {shown(chip)}
        </Chip>
      ))}
      {ignored.map((word) => (
        <Chip
          key={`ignored-${word}`}
          dashed
          removeLabel={text.remove(text.ignoredWord(word))}
          onRemove={() => onChange({ ...filter, text: withoutWords(filter.text, [word]) })}
        >
          {text.ignoredWord(word)}
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

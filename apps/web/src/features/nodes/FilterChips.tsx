import { parseCredit } from '@rackfair/core'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Chip } from '../../ui/Chip.tsx'
import { type FilterChip, filterChips, withoutFilters } from './filterChips.ts'
import { nodeMessages } from './messages.ts'
import type { NodeFilter } from './nodeFilter.ts'

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

function useChipText(): (chip: FilterChip) => string {
  const text = useMessages(nodeMessages).filters
  const format = useFormat()
  const usd = (amount: string) => format.usd(parseCredit(amount) ?? 0n, { min: 0 })
  return (chip) => {
    switch (chip.kind) {
      case 'text':
        return `“${chip.value}”`
      case 'gpu':
      case 'cpu':
        return chip.value
      case 'minGpus':
        return text.gpuCount(chip.value)
      case 'minVram':
        return text.vramOf(format.gigabytes(chip.value))
      case 'minCores':
        return text.coreCount(chip.value)
      case 'minMemory':
      case 'minDisk':
        return text[chip.kind](format.gigabytes(chip.value))
      case 'minPledge':
        return text.pledged(usd(chip.value))
      case 'price':
        if (chip.from === '') return text.priceUpTo(usd(chip.to))
        return chip.to === '' ? text.priceFromOn(usd(chip.from)) : text.priceRange(usd(chip.from), usd(chip.to))
      case 'idle':
      case 'online':
        return text[chip.kind]
    }
  }
}

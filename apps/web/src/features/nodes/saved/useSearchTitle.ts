import { useMessages } from '../../../i18n/useMessages.ts'
import { filterChips } from '../filterChips.ts'
import { nodeMessages } from '../messages.ts'
import { readNodeFilter, understood } from '../nodeFilter.ts'
import { useChipText } from '../useChipText.ts'

/** A saved search as its conditions. */
export function useSearchTitle(): (words: string) => string {
  const text = useMessages(nodeMessages).saved
  const write = useChipText()
  return (words) => {
    const chips = filterChips(understood(readNodeFilter(new URLSearchParams(words))))
    return chips.length === 0 ? text.any : chips.map(write).join(' · ')
  }
}

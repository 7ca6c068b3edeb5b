import { readDuration } from '@rackfair/rules/duration'
import { parseCredit } from '@rackfair/rules/money'
import { useTermText } from '../../entities/node/term/useTermText.ts'
import { usePresetTitle } from '../../entities/order/usePresetTitle.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import type { FilterChip } from './filterChips.ts'
import { nodeMessages } from './messages.ts'

/** A condition in words. */
export function useChipText(): (chip: FilterChip) => string {
  const text = useMessages(nodeMessages).filters
  const format = useFormat()
  const usd = (amount: string) => format.usd(parseCredit(amount) ?? 0n, { min: 0 })
  const termText = useTermText()
  const titleOf = usePresetTitle()
  return (chip) => {
    switch (chip.kind) {
      case 'text':
        return `“${chip.value}”`
      case 'gpu':
      case 'cpu':
        return chip.value
      case 'region':
        return text.standsIn(format.country(chip.value))
      case 'runs':
        return text.runs(titleOf(chip.value))
      case 'for':
        return text.wanted(termText(readDuration(chip.value) ?? 0))
      case 'takes':
        return text.takes[chip.value]
      case 'minGpus':
        return text.gpuCount(chip.value)
      case 'minVram':
        return text.vramOf(format.gigabytes(chip.value))
      case 'minCores':
        return text.coreCount(chip.value)
      case 'minMemory':
      case 'minDisk':
        return text[chip.kind](format.gigabytes(chip.value))
      case 'minReliability':
        return text.minReliability(format.percent(chip.value / 100))
      case 'minPledge':
        return text.pledged(usd(chip.value))
      case 'price':
        if (chip.from === '') return text.priceUpTo(usd(chip.to))
        return chip.to === '' ? text.priceFromOn(usd(chip.from)) : text.priceRange(usd(chip.from), usd(chip.to))
      case 'idle':
      case 'online':
      case 'verified':
        return text[chip.kind]
    }
  }
}

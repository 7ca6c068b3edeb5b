import { AREAS } from '@rackfair/rules/node/place'
import type { NodeSearchPage } from '@rackfair/sdk/http'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { ModelFilter } from './ModelFilter.tsx'
import { nodeMessages } from './messages.ts'
import { MAX_PLACES, type NodeFilter, toggleModel } from './nodeFilter.ts'

export interface PlaceFilterProps {
  filter: NodeFilter
  countries: NodeSearchPage['facets']['region']
  onChange: (filter: NodeFilter) => void
}

/** The countries in which providers say that their machines stand; nothing while none has said. */
export function PlaceFilter({ filter, countries, onChange }: PlaceFilterProps) {
  const text = useMessages(nodeMessages).filters
  const format = useFormat()
  // An area has no count of its own; its chip stands above the list.
  const chosen = filter.region.filter((place) => !AREAS.includes(place))
  if (countries.length === 0 && chosen.length === 0) return null
  return (
    <ModelFilter
      title={text.region}
      facets={countries}
      chosen={chosen}
      few={5}
      nameOf={format.country}
      onToggle={(place) => onChange({ ...filter, region: toggleModel(filter.region, place, MAX_PLACES) })}
    />
  )
}

import type { NodeSearchPage } from '@rackfair/sdk/http'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { ModelFilter } from './ModelFilter.tsx'
import { nodeMessages } from './messages.ts'
import { MAX_PLACES, type NodeFilter, toggleModel } from './nodeFilter.ts'
import { withAreas } from './shownModels.ts'

export interface PlaceFilterProps {
  filter: NodeFilter
  countries: NodeSearchPage['facets']['region']
  onChange: (filter: NodeFilter) => void
}

/** The countries in which providers say that their machines stand; nothing while none has said. */
export function PlaceFilter({ filter, countries, onChange }: PlaceFilterProps) {
  const text = useMessages(nodeMessages).filters
  const format = useFormat()
  const places = withAreas(countries, filter.region)
  if (places.length === 0) return null
  return (
    <ModelFilter
      title={text.region}
      facets={places}
      chosen={filter.region}
      few={5}
      nameOf={format.country}
      onToggle={(place) => onChange({ ...filter, region: toggleModel(filter.region, place, MAX_PLACES) })}
    />
  )
}

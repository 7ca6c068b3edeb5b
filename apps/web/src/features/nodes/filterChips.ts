import type { Take } from '@rackfair/rules/node/takes'
import type { PresetName } from '@rackfair/rules/presets'
import { NO_FILTER, type NodeFilter } from './nodeFilter.ts'

const LEAST = ['minGpus', 'minVram', 'minCores', 'minMemory', 'minDisk', 'minReliability'] as const
type Least = (typeof LEAST)[number]

/** One choice that narrows the list, and the filter without it. */
export type FilterChip = { key: string; without: NodeFilter } & (
  | { kind: 'text' | 'gpu' | 'cpu' | 'region'; value: string }
  | { kind: Least; value: number }
  | { kind: 'minPledge'; value: string }
  | { kind: 'price'; from: string; to: string }
  | { kind: 'for'; value: string }
  | { kind: 'takes'; value: Take }
  | { kind: 'runs'; value: PresetName }
  | { kind: 'idle' | 'online' | 'verified' }
)

/** How many of them the filters hold: words stand in the search field. */
export const filterCount = (filter: NodeFilter): number => filterChips(filter).filter(({ kind }) => kind !== 'text').length

export function filterChips(filter: NodeFilter): readonly FilterChip[] {
  const chips: FilterChip[] = []
  if (filter.text !== '') chips.push({ key: 'text', kind: 'text', value: filter.text, without: { ...filter, text: '' } })
  if (filter.runs !== '') chips.push({ key: 'runs', kind: 'runs', value: filter.runs, without: { ...filter, runs: '' } })
  if (filter.for !== '') chips.push({ key: 'for', kind: 'for', value: filter.for, without: { ...filter, for: '' } })
  for (const kind of ['idle', 'online', 'verified'] as const)
    if (filter[kind]) chips.push({ key: kind, kind, without: { ...filter, [kind]: false } })
  for (const kind of ['gpu', 'cpu', 'region'] as const)
    for (const value of filter[kind])
      chips.push({
        key: `${kind}-${value}`,
        kind,
        value,
        without: { ...filter, [kind]: filter[kind].filter((other) => other !== value) },
      })
  for (const value of filter.takes)
    chips.push({
      key: `takes-${value}`,
      kind: 'takes',
      value,
      without: { ...filter, takes: filter.takes.filter((other) => other !== value) },
    })
  for (const kind of LEAST)
    if (filter[kind] > 0) chips.push({ key: kind, kind, value: filter[kind], without: { ...filter, [kind]: 0 } })
  if (filter.minPrice !== '' || filter.maxPrice !== '')
    chips.push({
      key: 'price',
      kind: 'price',
      from: filter.minPrice,
      to: filter.maxPrice,
      without: { ...filter, minPrice: '', maxPrice: '' },
    })
  if (filter.minPledge !== '')
    chips.push({ key: 'minPledge', kind: 'minPledge', value: filter.minPledge, without: { ...filter, minPledge: '' } })
  return chips
}

/** Everything but the order of the rows and the unit of their prices. */
export function withoutFilters(filter: NodeFilter): NodeFilter {
  return { ...NO_FILTER, sort: filter.sort, per: filter.per }
}

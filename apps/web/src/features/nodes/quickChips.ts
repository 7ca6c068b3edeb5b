import { gpuMemoryGb } from '@rackfair/rules/gpu/gpuMemory'
import { checkoutBlocker } from '@rackfair/rules/order/checkout'
import { filterChips } from './filterChips.ts'
import type { NodeFilter } from './nodeFilter.ts'
import type { ListedNode, NodeSearch } from './useNodeSearch.ts'

const LARGE_GB = 80
const CHEAP_USD_A_MONTH = '720'
const CHEAP_WEI_A_MONTH = 720n * 10n ** 18n
const MODELS = 2

/** A condition that many look for, offered while there is none. */
export type QuickChip = {
  /** With this condition. */
  filter: NodeFilter
  /** Machines that have it and can be bought; undefined while not all of them are read. */
  count: number | undefined
} & ({ kind: 'gpu'; model: string } | { kind: 'large' | 'cheap' | 'own' })

/** At most five, made from what the market has; none once the list is narrowed. */
export function quickChips(
  filter: NodeFilter,
  search: Pick<NodeSearch, 'rows' | 'summary' | 'stale'>,
  now: number,
): readonly QuickChip[] {
  const { rows, summary, stale } = search
  if (summary === undefined || stale || filter.text !== '' || filterChips(filter).length > 0) return []
  const isWhole = rows.length >= summary.total
  const onSale = isWhole
    ? rows.filter((row) => checkoutBlocker({ machine: row }, { address: undefined }, { now, penalty: row.penalty }) === undefined)
    : []
  const counted = (has: (row: ListedNode) => boolean) => (isWhole ? onSale.filter(has).length : undefined)
  const models = summary.facets.gpu.toSorted((one, two) => two.count - one.count).slice(0, MODELS)
  const chips: QuickChip[] = [
    ...models.map(({ value }) => ({
      kind: 'gpu' as const,
      model: value,
      filter: { ...filter, gpu: [value] },
      count: counted(({ gpu }) => gpu.count > 0 && gpu.model === value),
    })),
    {
      kind: 'large',
      filter: { ...filter, minVram: LARGE_GB },
      count: counted(({ gpu }) => gpu.count > 0 && (gpuMemoryGb(gpu.model) ?? 0) >= LARGE_GB),
    },
    {
      kind: 'cheap',
      filter: { ...filter, maxPrice: CHEAP_USD_A_MONTH },
      count: counted(({ ratePerMonthWei }) => ratePerMonthWei <= CHEAP_WEI_A_MONTH),
    },
    {
      kind: 'own',
      filter: { ...filter, takes: ['own_images'] },
      count: counted(({ takes = [] }) => takes.includes('own_images')),
    },
  ]
  return chips.filter(({ count }) => count !== 0)
}

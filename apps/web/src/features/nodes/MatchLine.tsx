import { useMessages } from '../../i18n/useMessages.ts'
import { AppNeeds } from './AppNeeds.tsx'
import { FilterChips } from './FilterChips.tsx'
import { nodeMessages } from './messages.ts'
import type { NodeFilter } from './nodeFilter.ts'
import type { NodeSearch } from './useNodeSearch.ts'

/** How many machines match, the order, and whether the market has changed since. */
export function MatchLine({
  search,
  filter,
  onChange,
}: {
  search: NodeSearch
  filter: NodeFilter
  onChange: (filter: NodeFilter) => void
}) {
  const text = useMessages(nodeMessages)
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-2 pb-2">
      <p role="status" className="min-w-20 font-medium">
        {search.summary && text.match(search.summary.total)}
      </p>
      {search.changed && (
        <span className="text-ink-2">
          {text.changed}{' '}
          <button
            type="button"
            onClick={search.readAgain}
            className="underline decoration-line-2 underline-offset-4 hover:text-ink"
          >
            {text.showChanged}
          </button>
        </span>
      )}
      <FilterChips filter={filter} ignored={search.summary?.ignored ?? []} onChange={onChange} />
      {filter.runs !== '' && <AppNeeds runs={filter.runs} />}
    </div>
  )
}

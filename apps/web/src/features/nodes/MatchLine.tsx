import type { ReactNode } from 'react'
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
  titled = false,
  children,
}: {
  search: NodeSearch
  filter: NodeFilter
  onChange: (filter: NodeFilter) => void
  /** It is the title of the page. */
  titled?: boolean
  /** After the count. */
  children?: ReactNode
}) {
  const text = useMessages(nodeMessages)
  return (
    <div className={`flex min-h-8 items-center gap-x-2 gap-y-1 ${titled ? 'flex-wrap' : 'mb-3 flex-wrap'}`}>
      {titled ? (
        <div role="status" className="mr-1">
          <h1 className="text-base whitespace-nowrap">{search.summary ? text.machines(search.summary.total) : text.title}</h1>
        </div>
      ) : (
        <p role="status" className="min-w-20 font-medium">
          {search.summary && text.machines(search.summary.total)}
        </p>
      )}
      {children}
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

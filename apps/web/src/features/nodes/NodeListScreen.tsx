import { type ReactNode, useMemo } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useAtLeast } from '../../ui/useAtLeast.ts'
import { FilterDialog } from './FilterDialog.tsx'
import { FilterPanel } from './FilterPanel.tsx'
import { MatchLine } from './MatchLine.tsx'
import { nodeMessages } from './messages.ts'
import { NodeRows } from './NodeRows.tsx'
import { type NodeFilter, understood } from './nodeFilter.ts'
import { SearchField } from './SearchField.tsx'
import { SortSelect } from './SortSelect.tsx'
import { useNodeFilter } from './useNodeFilter.ts'
import { useNodeSearch } from './useNodeSearch.ts'

/**
 * `/nodelist` and `/search`: the machines with Buy. `lead` and `totals` are the network's figures. The list is never lower than the
 * window, so that few machines do not pull the footer up into it when they arrive.
 */
export function NodeListScreen({ lead, totals }: { lead: ReactNode; totals: ReactNode }) {
  const text = useMessages(nodeMessages)
  const [asked, setFilter] = useNodeFilter()
  const filter = useMemo(() => understood(asked), [asked])
  const search = useNodeSearch(filter)
  const beside = useAtLeast('xl')
  const table = useAtLeast('lg')
  const sortBy = (sort: NodeFilter['sort']) => setFilter({ ...asked, sort })
  const field = <SearchField value={asked.text} onChange={(words) => setFilter({ ...asked, text: words })} />
  const panel = { filter, onChange: setFilter, summary: search.summary }
  return (
    <Page>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <PageTitle title={text.title} lead={lead} />
        <div className="max-lg:w-full">{totals}</div>
      </div>
      {beside === undefined ? (
        <Skeleton size="page" />
      ) : (
        <div className="cols-filters min-h-screen content-start">
          {beside ? (
            <section aria-label={text.filters.title} className="flex flex-col gap-5">
              {field}
              <FilterPanel {...panel} />
            </section>
          ) : (
            <search className="flex flex-wrap gap-2.5">
              <div className="min-w-40 flex-1">{field}</div>
              <FilterDialog {...panel} />
              {!table && (
                <div className="w-full sm:w-52">
                  <SortSelect value={filter.sort} onChange={sortBy} />
                </div>
              )}
            </search>
          )}
          <section aria-label={text.caption} className="flex min-w-0 flex-col gap-1">
            <h2 className="sr-only">{text.caption}</h2>
            <MatchLine search={search} filter={filter} onChange={setFilter} />
            <NodeRows search={search} filter={filter} onChange={setFilter} onSort={sortBy} buy ofProvider={false} />
          </section>
        </div>
      )}
    </Page>
  )
}

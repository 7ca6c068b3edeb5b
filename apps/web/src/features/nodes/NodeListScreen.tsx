import { type ReactNode, useMemo } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { AppSelect } from './AppSelect.tsx'
import { FilterDialog } from './FilterDialog.tsx'
import { FilterPanel } from './FilterPanel.tsx'
import { MatchLine } from './MatchLine.tsx'
import { nodeMessages } from './messages.ts'
import { NodeRows } from './NodeRows.tsx'
import { type NodeFilter, understood, withUnit } from './nodeFilter.ts'
import { SearchField } from './SearchField.tsx'
import { SkipToMachines } from './SkipToMachines.tsx'
import { SortSelect } from './SortSelect.tsx'
import { NotifyButton, SavedSearches } from './saved/SavedSearches.tsx'
import { UnitChoice } from './UnitChoice.tsx'
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
  const sortBy = (sort: NodeFilter['sort']) => setFilter({ ...asked, sort })
  const panel = { filter, onChange: setFilter, summary: search.summary }
  return (
    <Page wide>
      <SkipToMachines />
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        {/* Whatever its sentence says, it leaves the totals their place beside it. */}
        <div className="min-w-0 max-lg:w-full lg:flex-1">
          <PageTitle title={text.title} lead={lead} />
        </div>
        <div className="max-lg:w-full">{totals}</div>
      </div>
      <div className="flex min-h-screen flex-col gap-3">
        <search className="flex flex-wrap items-center gap-2.5">
          <div className="w-full sm:w-64">
            <AppSelect value={filter.runs} onChange={(runs) => setFilter({ ...asked, runs })} />
          </div>
          <div className="min-w-60 flex-1">
            <SearchField value={asked.text} onChange={(words) => setFilter({ ...asked, text: words })} />
          </div>
          <div className="xl:hidden">
            <FilterDialog {...panel} />
          </div>
          <UnitChoice value={asked.per} onChange={(per) => setFilter(withUnit(asked, per))} />
          <NotifyButton filter={asked} />
          <div className="w-full sm:w-52 lg:hidden">
            <SortSelect value={filter.sort} onChange={sortBy} />
          </div>
        </search>
        <SavedSearches />
        <section aria-label={text.filters.title} className="no-print max-xl:hidden">
          <FilterPanel {...panel} across />
        </section>
        <section aria-label={text.caption} className="flex min-w-0 flex-col gap-1">
          <h2 className="sr-only">{text.caption}</h2>
          <MatchLine search={search} filter={filter} onChange={setFilter} />
          <NodeRows search={search} filter={filter} onChange={setFilter} onSort={sortBy} buy provider={undefined} />
        </section>
      </div>
    </Page>
  )
}

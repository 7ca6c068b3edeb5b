import type { ReactNode } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { AppSelect } from './AppSelect.tsx'
import { FilterDialog } from './FilterDialog.tsx'
import { FilterPanel } from './FilterPanel.tsx'
import { MatchLine } from './MatchLine.tsx'
import { nodeMessages } from './messages.ts'
import { NodeRows } from './NodeRows.tsx'
import { type NodeFilter, withUnit } from './nodeFilter.ts'
import { SearchField } from './SearchField.tsx'
import { SkipToMachines } from './SkipToMachines.tsx'
import { SortSelect } from './SortSelect.tsx'
import { NotifyButton, SavedSearches } from './saved/SavedSearches.tsx'
import { UnitChoice } from './UnitChoice.tsx'
import { useNodeFilter } from './useNodeFilter.ts'
import { useNodeSearch } from './useNodeSearch.ts'
import { useUnderstood } from './useUnderstood.ts'

/**
 * `/nodelist` and `/search`: the machines with Buy. `lead` and `totals` are the network's figures. The list is never lower than the
 * window, so that few machines do not pull the footer up into it when they arrive.
 */
export function NodeListScreen({ lead, totals }: { lead: ReactNode; totals: ReactNode }) {
  const text = useMessages(nodeMessages)
  const [asked, setFilter] = useNodeFilter()
  const filter = useUnderstood(asked)
  const search = useNodeSearch(filter)
  const sortBy = (sort: NodeFilter['sort']) => setFilter({ ...asked, sort })
  const panel = { filter, onChange: setFilter, summary: search.summary }
  const app = <AppSelect value={filter.runs} onChange={(runs) => setFilter({ ...asked, runs })} />
  const sort = <SortSelect value={filter.sort} onChange={sortBy} />
  const notify = <NotifyButton filter={asked} />
  return (
    <Page wide>
      <SkipToMachines />
      {/* Below 1024 px the totals stand behind the machines. */}
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4 max-lg:contents">
        {/* Whatever its sentence says, it leaves the totals their place beside it. */}
        <div className="min-w-0 lg:flex-1">
          <PageTitle title={text.title} lead={lead} />
        </div>
        <div className="max-lg:order-last">{totals}</div>
      </div>
      <div className="flex min-h-screen flex-col gap-3">
        <search className="flex flex-wrap items-center gap-2.5">
          <div className="w-64 max-sm:hidden">{app}</div>
          <div className="min-w-60 flex-1 max-sm:basis-full">
            <SearchField value={asked.text} onChange={(words) => setFilter({ ...asked, text: words })} />
          </div>
          <div className="max-sm:flex-1 xl:hidden">
            <FilterDialog
              {...panel}
              before={
                <div className="mb-5 flex flex-col gap-2.5 sm:hidden">
                  {app}
                  {sort}
                  {notify}
                </div>
              }
            />
          </div>
          <UnitChoice value={asked.per} onChange={(per) => setFilter(withUnit(asked, per))} />
          <div className="max-sm:hidden">{notify}</div>
          <div className="w-52 max-sm:hidden lg:hidden">{sort}</div>
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

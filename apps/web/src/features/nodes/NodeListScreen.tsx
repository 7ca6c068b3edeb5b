import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { useDocumentTitle } from '../../ui/useDocumentTitle.ts'
import { AppSelect } from './AppSelect.tsx'
import { FilterDialog } from './FilterDialog.tsx'
import { FilterDrawer } from './FilterDrawer.tsx'
import { filterCount } from './filterChips.ts'
import { MatchLine } from './MatchLine.tsx'
import { nodeMessages } from './messages.ts'
import { NodeRows } from './NodeRows.tsx'
import { type NodeFilter, withUnit } from './nodeFilter.ts'
import { QuickChips } from './QuickChips.tsx'
import { SearchField } from './SearchField.tsx'
import { SkipToMachines } from './SkipToMachines.tsx'
import { SortSelect } from './SortSelect.tsx'
import { NotifyButton, SavedSearches } from './saved/SavedSearches.tsx'
import { UnitChoice } from './UnitChoice.tsx'
import { useNodeFilter } from './useNodeFilter.ts'
import { useNodeSearch } from './useNodeSearch.ts'
import { useUnderstood } from './useUnderstood.ts'

/**
 * `/nodelist` and `/search`: the machines with Buy, from the first 200 pixels on. `lead` and `totals` are the network's figures, below
 * them. The list is never lower than the window, so that few machines do not pull the footer up into it when they arrive.
 */
export function NodeListScreen({ lead, totals }: { lead: ReactNode; totals: ReactNode }) {
  const text = useMessages(nodeMessages)
  useDocumentTitle(text.title)
  const [asked, setFilter] = useNodeFilter()
  const filter = useUnderstood(asked)
  const search = useNodeSearch(filter)
  const [open, setOpen] = useState(false)
  const drawer = useId()
  const sortBy = (sort: NodeFilter['sort']) => setFilter({ ...asked, sort })
  const panel = { filter, onChange: setFilter, summary: search.summary }
  const notify = <NotifyButton filter={asked} />
  return (
    <div className="wrap-wide print-across flex flex-col gap-6 pt-3 pb-7">
      <div className="flex min-h-screen flex-col gap-2">
        <SkipToMachines />
        <search className="flex flex-wrap items-center gap-2">
          <div className="min-w-0 flex-1">
            <SearchField large value={asked.text} onChange={(words) => setFilter({ ...asked, text: words })} />
          </div>
          <div className="max-sm:hidden">
            <UnitChoice value={asked.per} onChange={(per) => setFilter(withUnit(asked, per))} />
          </div>
          <div className="xl:hidden">
            <FilterDialog
              {...panel}
              before={
                <div className="mb-5 flex flex-col gap-2.5">
                  <AppSelect value={filter.runs} onChange={(runs) => setFilter({ ...asked, runs })} />
                  <SortSelect value={filter.sort} onChange={sortBy} />
                  <div className="sm:hidden">{notify}</div>
                  <div className="sm:hidden">
                    <UnitChoice value={asked.per} onChange={(per) => setFilter(withUnit(asked, per))} />
                  </div>
                </div>
              }
            />
          </div>
          <div className="max-xl:hidden">
            <Button
              size="lg"
              aria-expanded={open}
              aria-controls={open ? drawer : undefined}
              icon={<SlidersHorizontal aria-hidden className="size-4" />}
              onClick={() => setOpen(!open)}
            >
              {text.filters.open(filterCount(filter))}
            </Button>
          </div>
        </search>
        <div className="flex min-h-8 items-start gap-3">
          <div className="min-w-0 flex-1">
            <MatchLine titled search={search} filter={filter} onChange={setFilter}>
              <QuickChips filter={asked} search={search} onChange={setFilter} />
            </MatchLine>
          </div>
          <div className="max-sm:hidden">{notify}</div>
        </div>
        <SavedSearches />
        <div className="flex items-start gap-5">
          {open && <FilterDrawer id={drawer} onClose={() => setOpen(false)} {...panel} />}
          <section aria-label={text.caption} className="@container min-w-0 flex-1">
            <h2 className="sr-only">{text.caption}</h2>
            <NodeRows search={search} filter={filter} onChange={setFilter} onSort={sortBy} buy provider={undefined} />
          </section>
        </div>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 text-ink-3">
        <p>{lead}</p>
        <div className="min-w-0">{totals}</div>
      </div>
    </div>
  )
}

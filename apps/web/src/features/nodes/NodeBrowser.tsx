import { useMessages } from '../../i18n/useMessages.ts'
import { Named } from '../../ui/Named.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { MatchLine } from './MatchLine.tsx'
import { nodeMessages } from './messages.ts'
import { NodeRows } from './NodeRows.tsx'
import { type NodeFilter, withUnit } from './nodeFilter.ts'
import { SearchField } from './SearchField.tsx'
import { SortSelect } from './SortSelect.tsx'
import { UnitChoice } from './UnitChoice.tsx'
import { useNodeFilter } from './useNodeFilter.ts'
import { useNodeSearch } from './useNodeSearch.ts'
import { useUnderstood } from './useUnderstood.ts'

/** The machines inside another screen: search, Idling and the list. With `provider`, those of one provider. */
export function NodeBrowser({ buy, provider }: { buy: boolean; provider?: string }) {
  const text = useMessages(nodeMessages)
  const [asked, setFilter] = useNodeFilter()
  const filter = useUnderstood(asked)
  const search = useNodeSearch(filter, provider)
  const sortBy = (sort: NodeFilter['sort']) => setFilter({ ...asked, sort })
  return (
    <div className="flex flex-col gap-2">
      <search className="flex flex-wrap items-center gap-x-5 gap-y-2.5">
        <div className="w-full sm:w-72">
          <SearchField value={asked.text} onChange={(words) => setFilter({ ...asked, text: words })} />
        </div>
        <Switch checked={filter.idle} onChange={(idle) => setFilter({ ...filter, idle })}>
          <Named name={text.filters.idleName}>{text.filters.idle}</Named>
        </Switch>
        <UnitChoice value={asked.per} onChange={(per) => setFilter(withUnit(asked, per))} />
        <div className="w-full sm:w-52 lg:hidden">
          <SortSelect value={filter.sort} onChange={sortBy} />
        </div>
      </search>
      <MatchLine search={search} filter={filter} onChange={setFilter} />
      <NodeRows search={search} filter={filter} onChange={setFilter} onSort={sortBy} buy={buy} provider={provider} />
    </div>
  )
}

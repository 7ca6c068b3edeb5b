import { Suspense } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { lazyPart } from '../../platform/loading/lazyPart.ts'
import { Button } from '../../ui/Button.tsx'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { useAtLeast } from '../../ui/useAtLeast.ts'
import { useAccountState } from '../../wallet/index.ts'
import { CompareBar } from './CompareBar.tsx'
import { filterChips, withoutFilters } from './filterChips.ts'
import { nodeMessages } from './messages.ts'
import { NodeCards } from './NodeCards.tsx'
import { NodesLoading } from './NodesLoading.tsx'
import { NodeTable } from './NodeTable.tsx'
import { alongOf, type NodeFilter } from './nodeFilter.ts'
import { OutdatedNotice } from './OutdatedNotice.tsx'
import type { NodeSearch } from './useNodeSearch.ts'

const NearestMatches = lazyPart(() => import('./NearestMatches.tsx').then((module) => module.NearestMatches))

export interface NodeRowsProps {
  search: NodeSearch
  filter: NodeFilter
  onChange: (filter: NodeFilter) => void
  onSort: (sort: NodeFilter['sort']) => void
  /** Offers Buy, or says why not. */
  buy: boolean
  /** The list belongs to this provider: no Detail, and other words when it is empty. */
  provider: string | undefined
}

/** The machines as table or cards, while loading, when there are none, and when they cannot be read. */
export function NodeRows({ search, filter, onChange, onSort, buy, provider }: NodeRowsProps) {
  const text = useMessages(nodeMessages)
  const { retry } = useMessages(uiMessages)
  const wide = useAtLeast('lg')
  const user = useAccountState().lowerCase
  const now = useNow(60_000)

  if (search.error)
    return (
      <ErrorState title={text.failedTitle} details={search.error.message} onRetry={search.readAgain} retrying={search.reading}>
        {text.failedText}
      </ErrorState>
    )
  if (search.loading) return <NodesLoading />
  if (search.rows.length === 0) {
    if (filterChips(filter).length > 0)
      return (
        <>
          {search.outdated && <OutdatedNotice search={search} />}
          <EmptyState
            title={text.emptyTitle}
            action={<Button onClick={() => onChange(withoutFilters(filter))}>{text.filters.clear}</Button>}
          >
            {text.emptyText}
          </EmptyState>
          <Suspense>
            <NearestMatches filter={filter} onChange={onChange} provider={provider} user={user} now={now} buy={buy} />
          </Suspense>
        </>
      )
    return provider !== undefined ? (
      <EmptyState title={text.noneHereTitle} action={<ButtonLink to="/nodelist">{text.others}</ButtonLink>}>
        {text.noneHereText}
      </EmptyState>
    ) : (
      <EmptyState title={text.noneTitle} action={<ButtonLink to="/addprovider">{text.provide}</ButtonLink>}>
        {text.noneText}
      </EmptyState>
    )
  }
  const along = alongOf(filter)
  const shared = { search, user, now, buy, detail: provider === undefined, per: filter.per, compare: buy, along }
  return (
    <>
      {search.outdated && <OutdatedNotice search={search} />}
      {/* Before there is a window both are drawn, and the stylesheet shows one. */}
      {wide !== false && (
        <div className="max-lg:hidden">
          <NodeTable {...shared} sort={filter.sort} onSort={onSort} />
        </div>
      )}
      {wide !== true && (
        <div className="lg:hidden">
          <NodeCards {...shared} />
        </div>
      )}
      {search.hasMore && (
        <p role="status" className="flex flex-wrap items-center justify-center gap-3 py-4 text-ink-3">
          {search.moreFailed && !search.reading ? (
            <>
              {text.moreFailed}
              <Button onClick={search.readMore}>{retry}</Button>
            </>
          ) : (
            text.loadingMore
          )}
        </p>
      )}
      {buy && <CompareBar user={user} now={now} along={along} />}
    </>
  )
}

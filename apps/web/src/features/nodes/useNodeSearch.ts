import type { NodeOffer } from '@rackfair/rules/node/node'
import { type Api, type NodeSearchPage, readNodeSearch } from '@rackfair/sdk/http'
import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api } from '../../platform/api/api.ts'
import { readOnce } from '../../platform/api/readOnce.ts'
import { type NodeFilter, nodeQueryOf } from './nodeFilter.ts'

/** Of a page that is drawn without a browser, what its window may show; the browser reads on. */
const PAGE = typeof window === 'undefined' ? 24 : 200
const REREAD_MS = 300_000

/** A row of the list; `readAt`, unix milliseconds, is when its page was read. */
export type ListedNode = NodeOffer & { readAt: number }

export interface NodeSearch {
  /** Of the filter. */
  key: string
  rows: readonly ListedNode[]
  /** Totals, facets and histogram as they are now; undefined before the first answer. */
  summary: NodeSearchPage | undefined
  /** Unix milliseconds at which any page was last read. */
  readAt: number
  /** True if machines were added or removed since the rows were read: the rows stay until the user refreshes. */
  changed: boolean
  /** The rows still belong to the filter before this one. */
  stale: boolean
  loading: boolean
  error: Error | null
  /** Refetching failed: the rows are those of `readAt`. */
  outdated: boolean
  reading: boolean
  readAgain: () => void
  hasMore: boolean
  /** The last attempt to load more failed; there is no automatic retry. */
  moreFailed: boolean
  readMore: () => void
}

/** As the platform answered it, and when. */
type Page = Awaited<ReturnType<Api['nodes']>> & { readAt: number }

const NONE: readonly ListedNode[] = []
const readPage = readOnce(readNodeSearch)
const rowsOf = readOnce((page: Page): readonly ListedNode[] =>
  readPage(page).nodes.map((node) => ({ ...node, readAt: page.readAt })),
)
const readPages = ({ pages }: InfiniteData<Page>) => ({ first: pages[0], rows: pages.flatMap(rowsOf) })

/** The machines of a filter, page by page. Rows keep their place; totals follow the market at once, the rows every five minutes. */
export function useNodeSearch(filter: NodeFilter, provider?: string): NodeSearch {
  const query = { ...nodeQueryOf(filter), ...(provider === undefined ? {} : { provider }) }
  const list = useInfiniteQuery({
    queryKey: ['nodes', 'list', query],
    queryFn: async ({ pageParam, signal }): Promise<Page> => {
      const page = await api.nodes({ ...query, limit: PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) }, { signal })
      return { ...page, readAt: Date.now() }
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    select: readPages,
    placeholderData: keepPreviousData,
    staleTime: REREAD_MS,
    refetchInterval: REREAD_MS,
  })
  const first = list.isPlaceholderData ? undefined : list.data?.first
  const summary = useQuery({
    queryKey: ['nodes', 'summary', query],
    queryFn: ({ signal }) => api.nodes({ ...query, limit: 1 }, { signal }),
    enabled: first !== undefined,
    ...(first === undefined ? {} : { initialData: first, initialDataUpdatedAt: list.dataUpdatedAt }),
    select: readPage,
    staleTime: REREAD_MS,
    meta: { live: ['node', 'provider'] },
  })
  const newest = summary.data ?? (list.data?.first && readPage(list.data.first))
  return {
    key: JSON.stringify(query),
    rows: list.data?.rows ?? NONE,
    summary: newest,
    readAt: list.dataUpdatedAt,
    changed: first !== undefined && newest !== undefined && newest.block > first.block && newest.total !== first.total,
    stale: list.isPlaceholderData,
    loading: list.isPending,
    error: list.data === undefined ? list.error : null,
    outdated: list.isRefetchError || summary.isRefetchError,
    reading: list.isFetching,
    readAgain: () => {
      void list.refetch()
      if (summary.isRefetchError) void summary.refetch()
    },
    hasMore: list.hasNextPage,
    moreFailed: list.isFetchNextPageError,
    readMore: () => {
      if (!list.isFetching) void list.fetchNextPage()
    },
  }
}

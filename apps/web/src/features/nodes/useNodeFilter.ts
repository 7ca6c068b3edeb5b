import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { NO_FILTER, type NodeFilter, readNodeFilter, writeNodeFilter } from './nodeFilter.ts'

/** The filter is the page's address: reloaded, shared and bookmarked as it is. A change replaces the entry, so that Back leaves the list. */
export function useNodeFilter(): [NodeFilter, (filter: NodeFilter) => void] {
  const [params, setParams] = useSearchParams()
  const filter = useMemo(() => readNodeFilter(params), [params])
  const setFilter = useCallback(
    (next: NodeFilter) => setParams((before) => [...othersOf(before), ...writeNodeFilter(next)], { replace: true }),
    [setParams],
  )
  return [filter, setFilter]
}

/** What the address says besides the filter, for example whose machines these are. */
function othersOf(params: URLSearchParams): [string, string][] {
  return [...params].filter(([key]) => !(key in NO_FILTER))
}

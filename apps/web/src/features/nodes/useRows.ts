import { useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { NodeSearch } from './useNodeSearch.ts'

const AHEAD = 30

/**
 * Draws only the rows near the window, asks for the next page before its end is reached, and keeps the row that is being read
 * where it is when the list is read again.
 */
export function useRows<Item extends Element>(
  search: NodeSearch,
  list: RefObject<HTMLElement | null>,
  rowHeight: number,
): Virtualizer<Window, Item> {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => setTop(Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY))
    measure()
    const watcher = new ResizeObserver(measure)
    watcher.observe(document.body)
    return () => watcher.disconnect()
  }, [list])

  const virtual = useWindowVirtualizer<Item>({
    count: search.rows.length,
    estimateSize: () => rowHeight,
    overscan: 10,
    useFlushSync: false,
    scrollMargin: top,
    getItemKey: (index) => {
      const row = search.rows[index]
      return row ? `${row.cp}/${row.id}` : index
    },
  })

  const last = virtual.getVirtualItems().at(-1)?.index ?? 0
  useEffect(() => {
    if (search.hasMore && !search.stale && last >= search.rows.length - AHEAD) search.readMore()
  }, [search, last])

  const before = useRef({ readAt: search.readAt, key: '', index: 0 })
  useLayoutEffect(() => {
    const seen = virtual.getVirtualItems().find((item) => item.end > (virtual.scrollOffset ?? 0))
    const was = before.current
    if (was.readAt !== search.readAt && was.key !== '' && (virtual.scrollOffset ?? 0) > top) {
      const now = search.rows.findIndex((row) => `${row.cp}/${row.id}` === was.key)
      if (now >= 0 && now !== was.index) window.scrollBy(0, (now - was.index) * rowHeight)
    }
    before.current = { readAt: search.readAt, key: String(seen?.key ?? ''), index: seen?.index ?? 0 }
  })
  return virtual
}

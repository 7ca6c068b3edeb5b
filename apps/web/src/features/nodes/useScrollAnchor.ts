import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { NodeSearch } from './useNodeSearch.ts'

/** Of a row's element: which machine it shows. */
export const rowKey = (row: { provider: string; nodeId: number }) => `${row.provider}/${row.nodeId}`

/** Keeps the row that is being read where it is on the screen when the list is read again. Rows carry their key in `data-row`. */
export function useScrollAnchor(search: NodeSearch, list: RefObject<HTMLElement | null>, rowHeight: number): void {
  const read = useRef({ key: '', top: 0, index: 0 })
  const readAt = useRef(search.readAt)
  const rows = useRef(search.rows)

  useEffect(() => {
    const note = () => {
      const seen = drawnRows(list.current).find((row) => row.getBoundingClientRect().bottom > 0)
      const key = seen?.dataset.row ?? ''
      read.current = {
        key,
        top: seen?.getBoundingClientRect().top ?? 0,
        index: rows.current.findIndex((row) => rowKey(row) === key),
      }
    }
    window.addEventListener('scroll', note, { passive: true })
    return () => window.removeEventListener('scroll', note)
  }, [list])

  useLayoutEffect(() => {
    const again = readAt.current !== search.readAt
    readAt.current = search.readAt
    rows.current = search.rows
    const { key, top, index } = read.current
    const above = list.current?.getBoundingClientRect().top ?? 0
    if (!again || key === '' || above >= 0) return
    const now = search.rows.findIndex((row) => rowKey(row) === key)
    if (now < 0) return
    // The browser would keep something in place too, and what is moved twice is not kept.
    const page = document.documentElement
    page.style.overflowAnchor = 'none'
    requestAnimationFrame(() => requestAnimationFrame(() => page.style.removeProperty('overflow-anchor')))
    const drawn = drawnRows(list.current).find((row) => row.dataset.row === key)
    const moved = drawn ? drawn.getBoundingClientRect().top - top : (now - index) * rowHeight
    if (moved !== 0) window.scrollBy(0, moved)
  }, [search.readAt, search.rows, list, rowHeight])
}

const drawnRows = (list: HTMLElement | null) => [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]

import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { NodeSearch } from './useNodeSearch.ts'

/** Of a row's element: which machine it shows. */
export const rowKey = (row: { provider: string; nodeId: number }) => `${row.provider}/${row.nodeId}`

/** Keeps the visible row at its position on the screen when the list is refetched. Rows carry their key in `data-row`. */
export function useScrollAnchor(search: NodeSearch, list: RefObject<HTMLElement | null>, rowHeight: number): void {
  const read = useRef({ key: '', top: 0 })
  const readAt = useRef(search.readAt)
  const rows = useRef(search.rows)

  useEffect(() => {
    const note = () => {
      const seen = drawnRows(list.current).find((row) => row.getBoundingClientRect().bottom > 0)
      read.current = { key: seen?.dataset.row ?? '', top: seen?.getBoundingClientRect().top ?? 0 }
    }
    window.addEventListener('scroll', note, { passive: true })
    return () => window.removeEventListener('scroll', note)
  }, [list])

  useLayoutEffect(() => {
    const again = readAt.current !== search.readAt
    readAt.current = search.readAt
    const before = rows.current
    rows.current = search.rows
    const { key, top } = read.current
    const placeIn = (all: typeof before) => all.findIndex((row) => rowKey(row) === key)
    const above = list.current?.getBoundingClientRect().top ?? 0
    if (!again || key === '' || above >= 0) return
    const now = placeIn(search.rows)
    if (now < 0) return
    // Disable the browser's own scroll anchoring, which would correct a second time.
    const page = document.documentElement
    page.style.overflowAnchor = 'none'
    requestAnimationFrame(() => requestAnimationFrame(() => page.style.removeProperty('overflow-anchor')))
    const drawn = drawnRows(list.current).find((row) => row.dataset.row === key)
    const moved = drawn ? drawn.getBoundingClientRect().top - top : (now - placeIn(before)) * rowHeight
    if (moved !== 0) window.scrollBy(0, moved)
  }, [search.readAt, search.rows, list, rowHeight])
}

const drawnRows = (list: HTMLElement | null) => [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]

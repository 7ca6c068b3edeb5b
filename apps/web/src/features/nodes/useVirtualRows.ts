import { useCallback, useEffect, useRef, useState } from 'react'
import type { ListedNode, NodeSearch } from './useNodeSearch.ts'
import { usePrinting } from './usePrinting.ts'

/** A window's height above and below. */
const AROUND = '100% 0%'

/** What a window shows of a list before it can be measured. */
const FIRST_BLOCKS: ReadonlySet<number> = new Set([0, 1, 2])

/** How high each block of a list was drawn, so that a list that is come back to is as long as it was left. */
const heightsOf = new Map<string, Map<number, number>>()
const MAX_LISTS = 20

export interface RowBlock {
  index: number
  /** Place of its first row in the whole list, from 0. */
  first: number
  /** The rows to draw; undefined while the block is far from the window. */
  rows: readonly ListedNode[] | undefined
  /** Of the place that it takes meanwhile, in px. */
  height: number
}

export interface VirtualRows {
  blocks: readonly RowBlock[]
  /** The `ref` of a block's element, which names its block in `data-block`. */
  watch: (element: HTMLElement | null) => (() => void) | undefined
}

/**
 * The list in blocks of `size` rows: only the blocks near the window are drawn, the others keep their place as high as they last were.
 * On paper every row that has been read is there.
 * The next page is asked for before the last block is reached.
 */
export function useVirtualRows(search: NodeSearch, size: number, rowHeight: number): VirtualRows {
  const printing = usePrinting()
  const [near, setNear] = useState<ReadonlySet<number>>(FIRST_BLOCKS)
  const known = keptHeights(`${size} ${search.key}`)
  const heights = useRef(known)
  heights.current = known
  const observer = useRef<IntersectionObserver>(undefined)

  const watch = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    observer.current ??= new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting, boundingClientRect } of entries)
          if (!isIntersecting && boundingClientRect.height > 0) heights.current.set(blockOf(target), boundingClientRect.height)
        setNear((before) => {
          const after = new Set(before)
          for (const { target, isIntersecting } of entries) after[isIntersecting ? 'add' : 'delete'](blockOf(target))
          return after
        })
      },
      { rootMargin: AROUND },
    )
    const watching = observer.current
    watching.observe(element)
    return () => {
      const { height } = element.getBoundingClientRect()
      // A list that the stylesheet hides has none.
      if (height > 0) heights.current.set(blockOf(element), height)
      watching.unobserve(element)
    }
  }, [])

  const count = Math.ceil(search.rows.length / size)
  const blocks = Array.from({ length: count }, (_, index): RowBlock => {
    const first = index * size
    const rows = search.rows.slice(first, first + size)
    const drawn = printing || near.has(index)
    return { index, first, rows: drawn ? rows : undefined, height: known.get(index) ?? rows.length * rowHeight }
  })

  const atEnd = near.has(count - 1)
  useEffect(() => {
    if (search.hasMore && !search.moreFailed && !search.stale && atEnd) search.readMore()
  }, [search, atEnd])
  return { blocks, watch }
}

const blockOf = (element: Element) => Number((element as HTMLElement).dataset.block)

function keptHeights(list: string): Map<number, number> {
  const kept = heightsOf.get(list) ?? new Map<number, number>()
  heightsOf.delete(list)
  heightsOf.set(list, kept)
  const oldest = heightsOf.keys().next().value
  if (heightsOf.size > MAX_LISTS && oldest !== undefined) heightsOf.delete(oldest)
  return kept
}

import { useCallback, useEffect, useRef, useState } from 'react'
import type { ListedNode, NodeSearch } from './useNodeSearch.ts'
import { usePrinting } from './usePrinting.ts'

/** A window's height above and below. */
const AROUND = '100% 0%'

/** What a window shows of a list before it can be measured. */
const FIRST_BLOCKS: ReadonlySet<number> = new Set([0, 1, 2])

/** This many blocks are merged into one element while far from the viewport: laying out a table with a thousand parts is slow. */
const GROUP_BLOCKS = 8
const groupOf = (block: number) => Math.floor(block / GROUP_BLOCKS)
/** A group among the blocks that are named in `data-block`, and back. */
const asBlock = (group: number) => -1 - group
const isGroup = (block: number) => block < 0

/** Rendered height of each block, so that a list has its former length when the user returns to it. */
const heightsOf = new Map<string, Map<number, number>>()
const MAX_LISTS = 20

export interface RowBlock {
  /** Below 0 for a group of blocks far from the window. */
  index: number
  /** Place of its first row in the whole list, from 0. */
  first: number
  /** The rows to render; undefined while the block is far from the viewport. */
  rows: readonly ListedNode[] | undefined
  /** Height of its placeholder, in px. */
  height: number
}

export interface VirtualRows {
  blocks: readonly RowBlock[]
  /** The `ref` of a block's element, which names its block in `data-block`. */
  watch: (element: HTMLElement | null) => (() => void) | undefined
}

/**
 * Virtualises the list in blocks of `size` rows: only the blocks near the viewport are rendered. The others are placeholders of their last
 * height, one per block next to the visible group, one per group elsewhere.
 * For printing, every loaded row is rendered.
 * The next page is requested before the last block is reached.
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
          if (!isIntersecting) keepHeight(heights.current, target, boundingClientRect)
        setNear((before) => {
          const after = new Set(before)
          for (const { target, isIntersecting } of entries) {
            const block = blockOf(target)
            after[isIntersecting ? 'add' : 'delete'](block)
            // Its blocks speak for themselves from then on.
            if (!isGroup(block)) after.delete(asBlock(groupOf(block)))
          }
          return after.size === before.size && [...after].every((block) => before.has(block)) ? before : after
        })
      },
      { rootMargin: AROUND },
    )
    const watching = observer.current
    watching.observe(element)
    return () => {
      keepHeight(heights.current, element, element.getBoundingClientRect())
      watching.unobserve(element)
    }
  }, [])

  const count = Math.ceil(search.rows.length / size)
  const heightOf = (index: number) => known.get(index) ?? Math.min(size, search.rows.length - index * size) * rowHeight
  const opened = openedGroups(near)
  const blocks: RowBlock[] = []
  for (let index = 0; index < count; ) {
    const first = index * size
    const group = groupOf(index)
    const end = printing || opened.has(group) ? index + 1 : Math.min(count, index + GROUP_BLOCKS)
    const isDrawn = printing || near.has(index)
    let height = 0
    const at = end - index > 1 ? asBlock(group) : index
    for (; index < end; index += 1) height += heightOf(index)
    blocks.push({ index: at, first, rows: isDrawn ? search.rows.slice(first, first + size) : undefined, height })
  }

  const atEnd = near.has(count - 1) || near.has(asBlock(groupOf(count - 1)))
  useEffect(() => {
    if (search.hasMore && !search.moreFailed && !search.stale && atEnd) search.readMore()
  }, [search, atEnd])
  return { blocks, watch }
}

/** With the groups before and after, so that a window that moves on finds blocks there. */
function openedGroups(near: ReadonlySet<number>): ReadonlySet<number> {
  const opened = new Set<number>()
  for (const block of near) {
    const group = isGroup(block) ? asBlock(block) : groupOf(block)
    for (const one of [group - 1, group, group + 1]) opened.add(one)
  }
  return opened
}

/** A list that the stylesheet hides has none. */
function keepHeight(heights: Map<number, number>, element: Element, { height }: DOMRectReadOnly): void {
  const block = blockOf(element)
  if (height > 0 && !isGroup(block)) heights.set(block, height)
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

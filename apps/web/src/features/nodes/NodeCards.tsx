import { useRef } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { SPACING_PX } from '../../styles/tokens.ts'
import { nodeMessages } from './messages.ts'
import { NodeCard } from './NodeCard.tsx'
import type { NodeRowProps } from './nodeRowProps.ts'
import type { NodeSearch } from './useNodeSearch.ts'
import { rowKey, useScrollAnchor } from './useScrollAnchor.ts'
import { useVirtualRows } from './useVirtualRows.ts'

const CARD_PX = 48 * SPACING_PX
const BLOCK_CARDS = 8

/** The machines below 1024 px: one card each. Only the cards near the window exist. */
export function NodeCards({ search, ...rest }: { search: NodeSearch } & Omit<NodeRowProps, 'row' | 'index'>) {
  const text = useMessages(nodeMessages)
  const list = useRef<HTMLDivElement>(null)
  const { blocks, watch } = useVirtualRows(search, BLOCK_CARDS, CARD_PX)
  useScrollAnchor(search, list, CARD_PX)
  return (
    // biome-ignore lint/a11y/useSemanticElements: blocks stand between the list and its items, which a ul does not allow
    <div
      ref={list}
      role="list"
      aria-label={text.caption}
      aria-busy={search.stale || undefined}
      className={search.stale ? 'opacity-60' : ''}
    >
      {blocks.map(({ index, first, rows, height }) => (
        <div key={index} ref={watch} data-block={index} style={rows ? undefined : { height }}>
          {rows?.map((row, place) => (
            // biome-ignore lint/a11y/useSemanticElements: as above
            <div
              key={rowKey(row)}
              role="listitem"
              data-row={rowKey(row)}
              aria-setsize={search.summary?.total ?? -1}
              aria-posinset={first + place + 1}
            >
              <NodeCard row={row} index={first + place} {...rest} />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

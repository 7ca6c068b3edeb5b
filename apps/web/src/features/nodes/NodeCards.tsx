import { useRef } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { SPACING_PX } from '../../styles/tokens.ts'
import { nodeMessages } from './messages.ts'
import { NodeCard } from './NodeCard.tsx'
import type { NodeRowProps } from './NodeRow.tsx'
import type { NodeSearch } from './useNodeSearch.ts'
import { useRows } from './useRows.ts'

const CARD_STEPS = 43

/** The machines below 1024 px: one card each, measured as they appear. */
export function NodeCards({ search, ...rest }: { search: NodeSearch } & Omit<NodeRowProps, 'row' | 'index'>) {
  const text = useMessages(nodeMessages)
  const list = useRef<HTMLUListElement>(null)
  const virtual = useRows<HTMLLIElement>(search, list, CARD_STEPS * SPACING_PX)
  const shown = virtual.getVirtualItems()
  return (
    <ul
      ref={list}
      aria-label={text.caption}
      aria-busy={search.stale || undefined}
      className={search.stale ? 'opacity-60' : ''}
      style={{ height: virtual.getTotalSize(), paddingTop: Math.max(0, (shown[0]?.start ?? 0) - virtual.options.scrollMargin) }}
    >
      {shown.map((item) => {
        const row = search.rows[item.index]
        return (
          row && (
            <li
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              aria-setsize={search.summary?.total ?? -1}
              aria-posinset={item.index + 1}
            >
              <NodeCard row={row} index={item.index} {...rest} />
            </li>
          )
        )
      })}
    </ul>
  )
}

import { ArrowDown, ArrowUp } from 'lucide-react'
import { useRef } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { SPACING_PX } from '../../styles/tokens.ts'
import { nodeMessages } from './messages.ts'
import { NodeRow, type NodeRowProps } from './NodeRow.tsx'
import { type NodeFilter, toggleSort } from './nodeFilter.ts'
import type { NodeSearch } from './useNodeSearch.ts'
import { useRows } from './useRows.ts'

const ROW_STEPS = 13
const COLUMNS = [
  { key: 'name', sort: 'name', width: 'w-28', end: false },
  { key: 'cpu', sort: 'cpu', width: 'w-32 xl:w-36', end: false },
  { key: 'gpu', sort: 'gpu', width: 'w-32', end: false },
  { key: 'memory', sort: 'memory', width: 'w-20', end: true },
  { key: 'storage', sort: 'storage', width: 'w-20', end: true },
  { key: 'price', sort: 'price', width: 'w-28', end: true },
  { key: 'activate', sort: 'activate', width: 'w-20', end: false },
  { key: 'state', sort: 'state', width: 'w-24', end: false },
] as const

export interface NodeTableProps extends Omit<NodeRowProps, 'row' | 'index'> {
  search: NodeSearch
  sort: NodeFilter['sort']
  onSort: (sort: NodeFilter['sort']) => void
}

/** The machines from 1024 px on. Only the rows near the window exist; the others are two empty rows of their height. */
export function NodeTable({ search, sort, onSort, ...rest }: NodeTableProps) {
  const text = useMessages(nodeMessages)
  const body = useRef<HTMLTableSectionElement>(null)
  const virtual = useRows<HTMLTableRowElement>(search, body, ROW_STEPS * SPACING_PX)
  const shown = virtual.getVirtualItems()
  const above = (shown[0]?.start ?? 0) - virtual.options.scrollMargin
  const below = virtual.getTotalSize() - ((shown.at(-1)?.end ?? 0) - virtual.options.scrollMargin)
  return (
    <table
      aria-rowcount={(search.summary?.total ?? search.rows.length) + 1}
      aria-busy={search.stale || undefined}
      className={`w-full table-fixed border-collapse ${search.stale ? 'opacity-60' : ''}`}
    >
      <caption className="sr-only">{text.caption}</caption>
      <thead>
        <tr aria-rowindex={1} className="border-b border-line">
          {COLUMNS.map((column) => {
            const state = sort === column.sort ? 'ascending' : sort === `-${column.sort}` ? 'descending' : undefined
            const Arrow = state === 'ascending' ? ArrowUp : ArrowDown
            return (
              <th
                key={column.key}
                scope="col"
                aria-sort={state}
                className={`h-9 pr-3 text-xs font-medium whitespace-nowrap text-ink-3 ${column.width} ${column.end ? 'text-right' : 'text-left'}`}
              >
                <button
                  type="button"
                  onClick={() => onSort(toggleSort(sort, column.sort))}
                  className={`inline-flex items-center gap-0.5 hover:text-ink ${state ? 'text-ink' : ''}`}
                >
                  {text.columns[column.key]}
                  {state && <Arrow aria-hidden className="size-3" />}
                </button>
              </th>
            )
          })}
          <th scope="col" className="h-9">
            <span className="sr-only">{text.columns.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody ref={body}>
        {above > 0 && <tr aria-hidden style={{ height: above }} />}
        {shown.map((item) => {
          const row = search.rows[item.index]
          return row && <NodeRow key={item.key} row={row} index={item.index} {...rest} />
        })}
        {below > 0 && <tr aria-hidden style={{ height: below }} />}
      </tbody>
    </table>
  )
}

import { ArrowDown, ArrowUp } from 'lucide-react'
import { useRef } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { SPACING_PX } from '../../styles/tokens.ts'
import { nodeMessages } from './messages.ts'
import { NodeRow } from './NodeRow.tsx'
import { type NodeFilter, toggleSort } from './nodeFilter.ts'
import type { NodeRowProps } from './nodeRowProps.ts'
import { useBlocks } from './useBlocks.ts'
import { rowKey, useKeptPlace } from './useKeptPlace.ts'
import type { NodeSearch } from './useNodeSearch.ts'

const ROW_PX = 13 * SPACING_PX
const BLOCK_ROWS = 20
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

/** The machines from 1024 px on. Only the rows near the window exist; a block of others is one empty row of their height. */
export function NodeTable({ search, sort, onSort, ...rest }: NodeTableProps) {
  const text = useMessages(nodeMessages)
  const table = useRef<HTMLTableElement>(null)
  const { blocks, watch } = useBlocks(search, BLOCK_ROWS, ROW_PX)
  useKeptPlace(search, table, ROW_PX)
  return (
    <table
      ref={table}
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
      {blocks.map(({ index, first, rows, height }) => (
        <tbody key={index} ref={watch} data-block={index}>
          {rows?.map((row, place) => <NodeRow key={rowKey(row)} row={row} index={first + place} {...rest} />) ?? (
            <tr aria-hidden style={{ height }} />
          )}
        </tbody>
      ))}
    </table>
  )
}
